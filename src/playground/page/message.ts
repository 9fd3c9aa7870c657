import { type APIMessage, MessageFlags, MessageType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { attachments, type Photo } from './attachments.ts';
import { components } from './components.ts';
import { embeds } from './embeds.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import { messageUrl } from './message-link.ts';
import { avatarUrl, show } from './names.ts';
import type { Session } from './session.ts';
import { clockTime, messageTime } from './timestamps.ts';
import type { Attempt, View } from './view.ts';

export const isEphemeral = (message: APIMessage) => ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
const isLoading = (message: APIMessage) => ((message.flags ?? 0) & MessageFlags.Loading) !== 0;

const dots = html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`;

/** 'Member used /imagine' above an answer, or the message that is replied to. */
function header(session: Session, message: APIMessage): TemplateResult | typeof nothing {
  const interaction = message.interaction_metadata;
  // Discord's client takes the command's name from the older field: the newer one has none.
  const name = message.interaction?.name;
  if (interaction && name) {
    const who = show(session.view, interaction.user);
    return html`<discord-command
      slot="reply"
      author=${who.name}
      avatar=${who.avatarUrl}
      role-color=${who.color ?? nothing}
      command=${name}
    ></discord-command>`;
  }
  const original = message.referenced_message;
  if (!original) return nothing;
  const who = show(session.view, original.author);
  return html`<discord-reply
    slot="reply"
    author=${who.name}
    avatar=${who.avatarUrl}
    role-color=${who.color ?? nothing}
    ?bot=${who.bot}
    ?attachment=${original.attachments.length > 0}
    >${replied(session.view, original)}</discord-reply
  >`;
}

/** The beginning of the message that is replied to. Inert, as what can be pressed in it is that message's own. */
function replied(view: View, original: APIMessage): TemplateResult {
  const text = original.content ? markdown(view, original.content) : 'Press to see the attachment';
  return html`<button
    class="replied"
    type="button"
    aria-label="Go to the message that this answers"
    data-url=${messageUrl(view, original)}
    ><span inert>${text}</span></button
  >`;
}

function dismissal(label: string, dismiss: () => void): TemplateResult {
  return html`<p class="only-you" slot="components">
    ${icons.eye}Only you can see this •
    <button class="link" type="button" @click=${dismiss}>${label}</button>
  </p>`;
}

/** One message; `follows`: the one above it is by the same author and recent, so that the author stands there only. */
export function message(
  session: Session,
  it: APIMessage,
  follows: boolean,
  openPhotos: (photos: Photo[], at: number) => void,
): TemplateResult {
  const { view } = session;
  const author = show(view, it.author);
  const at = new Date(it.timestamp);
  const loading = isLoading(it);
  const flavour = it.author.bot ? 'extended' : 'normal';
  return html`<discord-message
    id=${`message-${it.id}`}
    role="article"
    aria-label=${`${author.name}, ${messageTime(at)}`}
    author=${author.name}
    avatar=${author.avatarUrl}
    role-color=${author.color ?? nothing}
    .timestamp=${follows ? clockTime(at) : messageTime(at)}
    ?bot=${author.bot}
    ?edited=${it.edited_timestamp !== null && it.content !== '' && !loading}
    ?ephemeral=${isEphemeral(it)}
    ?message-body-only=${follows}
    class=${follows ? 'follows' : ''}
  >
    ${header(session, it)}
    ${
      loading
        ? html`<span class="thinking" role="status">${dots}${author.name} is thinking…</span>`
        : it.type === MessageType.UserJoin
          ? html`<em>joined the server.</em>`
          : markdown(view, it.content, flavour)
    }
    <div slot="attachments">${attachments(it, openPhotos)}</div>
    ${embeds(view, it, openPhotos)}
    <div slot="components">${components(session, it)}</div>
    ${
      isEphemeral(it) && !loading
        ? dismissal('Dismiss message', () => void session.act<'dismiss'>({ do: 'dismiss', messageId: it.id }))
        : nothing
    }
  </discord-message>`;
}

/** A command on its way, or one that nobody answered. */
export function attempt(session: Session, it: Attempt): TemplateResult {
  const { view } = session;
  const bot = view.bots.find(({ id }) => id === it.botId);
  const self = view.hello?.people.find(({ id }) => id === view.hello?.personId);
  return html`<discord-message
    role="article"
    author=${bot?.name ?? 'Bot'}
    avatar=${avatarUrl({ id: it.botId })}
    .timestamp=${messageTime(it.at)}
    bot
    ?ephemeral=${it.failure !== null}
  >
    <discord-command
      slot="reply"
      author=${self?.name ?? 'You'}
      avatar=${self ? avatarUrl(self) : nothing}
      command=${it.command}
    ></discord-command>
    ${
      it.failure === null
        ? html`<span class="thinking" role="status">${dots}Sending command…</span>`
        : html`<span class="failed" role="alert">${icons.warning}${it.failure}</span>`
    }
    ${it.failure === null ? nothing : dismissal('Dismiss message', () => session.dismissAttempt(it.id))}
  </discord-message>`;
}
