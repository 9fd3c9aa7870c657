import { html, nothing, type TemplateResult } from 'lit';
import { channelIcon } from './channels.ts';
import { slashCommands } from './composer/command-form.ts';
import type { Composer } from './composer/composer.ts';
import { channelName } from './display.ts';
import { openChannelOf } from './selectors.ts';
import type { View } from './view.ts';

/** The command that a new visitor is invited to try. */
export function suggestedCommand({ snapshot, channel }: View): string | undefined {
  return snapshot?.suggestedCommand ?? slashCommands(channel?.commands ?? [])[0]?.path;
}

/** An example as it is read: without the name of its first option, which one types without it as well. */
const wordsOf = (example: string) => example.replace(/^(\/\S+) [^\s:]+:/, '$1 ');

function examples(view: View, { pasteLine }: Composer): TemplateResult | typeof nothing {
  const paths = slashCommands(view.channel?.commands ?? []).map(({ path }) => `/${path}`);
  const lines = (view.snapshot?.examples ?? []).filter((line) =>
    paths.some((path) => line === path || line.startsWith(`${path} `)),
  );
  if (lines.length === 0) return nothing;
  return html`<h3 class="list-head">${view.words.welcome.examples}</h3>
    <ul class="examples">
      ${lines.map((line) => {
        const [, command = '', words = '', flags = ''] =
          /^(\/\S+)(.*?)((?: --.*)?)$/.exec(wordsOf(line)) ?? [];
        return html`<li>
          <button
            class="example"
            type="button"
            @click=${(event: MouseEvent) => {
              // The second click of a double one: another card stands there by now.
              if (event.detail < 2) pasteLine(line);
            }}
          >
            <span class="mention">${command}</span>${words} ${flags.match(/--[^-]\S*(?: (?!--)\S+)*/g)?.map((flag) => html`<span class="flag">${flag} </span>`)}
          </button>
        </li>`;
      })}
    </ul>`;
}

/** Shown above the first message of a channel; in an empty one, with what to try. */
export function welcome(view: View, composer: Composer): TemplateResult {
  const channel = openChannelOf(view);
  if (!channel) return html``;
  const words = view.words.welcome;
  const name = channelName(view, channel);
  const direct = 'recipients' in channel;
  const suggested = suggestedCommand(view);
  const available = slashCommands(view.channel?.commands ?? []).some(({ path }) => path === suggested);
  const isEmpty = view.channel?.messages.length === 0;
  return html`<div class="welcome">
    <span class="welcome-icon">${channelIcon(view, channel)}</span>
    <h2 class="welcome-head">${direct ? name : words.toChannel(name)}</h2>
    <p>
      ${
        direct
          ? words.ofConversation(name)
          : `${words.ofChannel(name)} ${'topic' in channel ? (channel.topic ?? '') : ''}`
      }
    </p>
    ${isEmpty ? examples(view, composer) : nothing}
    ${
      suggested && available && !(isEmpty && view.snapshot?.examples.length)
        ? html`<button class="button primary" type="button" @click=${() => composer.pasteLine(`/${suggested}`)}>
            <span>${words.tryCommand(suggested)}</span>
          </button>`
        : nothing
    }
  </div>`;
}
