import { type APIMessage, MessageType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { type Photo, renderAttachments } from './attachments.ts';
import { renderComponents } from './components.ts';
import { displayUser } from './display.ts';
import { renderEmbeds } from './embeds.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import { isEphemeral, isLoading } from './message-flags.ts';
import { messageUrl } from './message-link.ts';
import { hasMenu } from './message-menu.ts';
import { plainText } from './plain-text.ts';
import type { Store } from './store.ts';
import { clockTime, messageTime } from './timestamps.ts';
import { mentionsUser } from './unread.ts';
import { avatarUrl } from './urls.ts';
import type { PendingCommand, View } from './view.ts';

const dots = html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`;

/** Above a message: 'Member used /ping', or what it replies to. */
function renderHeader(store: Store, message: APIMessage): TemplateResult | typeof nothing {
  const interaction = message.interaction_metadata;
  // Discord's client takes the command's name from the older field: the newer one has none.
  const name = message.interaction?.name;
  if (interaction && name) {
    const who = displayUser(store.view, interaction.user);
    return html`<discord-command
      slot="reply"
      author=${who.name}
      avatar=${who.avatarUrl}
      role-color=${who.color ?? nothing}
      command=${name}
      type=${message.type === MessageType.ContextMenuCommand ? 'message_command' : 'slash_command'}
      context-user-image=${who.avatarUrl}
    ></discord-command>`;
  }
  const original = message.referenced_message;
  if (!original) return nothing;
  const who = displayUser(store.view, original.author);
  return html`<discord-reply
    slot="reply"
    author=${who.name}
    avatar=${who.avatarUrl}
    role-color=${who.color ?? nothing}
    ?bot=${who.bot}
    ?attachment=${original.attachments.length > 0}
    >${renderReferenced(store.view, original)}</discord-reply
  >`;
}

/** The beginning of the message that is replied to, in one line without links: they belong to that message. */
function renderReferenced(view: View, original: APIMessage): TemplateResult {
  const [embed] = original.embeds;
  const text =
    plainText(view, original.content || embed?.title || embed?.description || '') ||
    'Press to see the attachment';
  return html`<button
    class="replied"
    type="button"
    aria-label="Go to the message that this answers"
    data-url=${messageUrl(view, original)}
    >${text}</button
  >`;
}

function renderEphemeralNote(label: string, dismiss: () => void): TemplateResult {
  return html`<p class="ephemeral-note" slot="components">
    ${icons.eye}Only you can see this •
    <button class="link" type="button" @click=${dismiss}>${label}</button>
  </p>`;
}

/** One message. `grouped`: without its author, who is named by the message above. */
export function renderMessage(
  store: Store,
  message: APIMessage,
  grouped: boolean,
  openPhotos: (photos: Photo[], at: number) => void,
): TemplateResult {
  const { view } = store;
  const { locale } = view;
  const author = displayUser(view, message.author);
  const withMenu = hasMenu(view, message);
  const at = new Date(message.timestamp);
  const loading = isLoading(message);
  const flavour = message.author.bot ? 'extended' : 'normal';
  return html`<discord-message
    id=${`message-${message.id}`}
    role="article"
    aria-label=${`${author.name}, ${messageTime(locale, at)}`}
    ?data-menu=${withMenu}
    author=${author.name}
    avatar=${author.avatarUrl}
    role-color=${author.color ?? nothing}
    .timestamp=${grouped ? clockTime(locale, at) : messageTime(locale, at)}
    ?bot=${author.bot}
    ?edited=${message.edited_timestamp !== null && message.content !== '' && !loading}
    ?ephemeral=${isEphemeral(message)}
    ?highlight=${!isEphemeral(message) && mentionsUser(view, message)}
    ?message-body-only=${grouped}
    class=${grouped ? 'grouped' : ''}
  >
    ${renderHeader(store, message)}
    ${
      loading
        ? html`<span class="thinking" role="status">${dots}${author.name} is thinking…</span>`
        : message.type === MessageType.UserJoin
          ? html`<em>joined the server.</em>`
          : markdown(view, message.content, flavour)
    }
    <div slot="attachments">${renderAttachments(view, message, openPhotos)}</div>
    ${renderEmbeds(view, message, openPhotos)}
    <div slot="components">${renderComponents(store, message)}</div>
    ${
      isEphemeral(message) && !loading
        ? renderEphemeralNote(
            'Dismiss message',
            () => void store.runAction<'dismiss'>({ do: 'dismiss', messageId: message.id }),
          )
        : nothing
    }
    ${withMenu ? menuButton : nothing}
  </discord-message>`;
}

const menuButton = html`<button
  class="tool message-menu-button"
  slot="components"
  type="button"
  aria-label="Apps for this message"
  aria-haspopup="menu"
  title="Apps"
>
  ${icons.apps}
</button>`;

/** A command that has no answer yet, or failed. */
export function renderPendingCommand(store: Store, command: PendingCommand): TemplateResult {
  const { view } = store;
  const bot = view.bots.find(({ id }) => id === command.botId);
  const self = view.snapshot?.users.find(({ id }) => id === view.snapshot?.userId);
  return html`<discord-message
    role="article"
    author=${bot?.name ?? 'Bot'}
    avatar=${avatarUrl({ id: command.botId })}
    .timestamp=${messageTime(view.locale, command.at)}
    bot
    ?ephemeral=${command.failure !== null}
  >
    <discord-command
      slot="reply"
      author=${self?.name ?? 'You'}
      avatar=${self ? avatarUrl(self) : nothing}
      command=${command.command}
      type=${command.kind === 'message' ? 'message_command' : 'slash_command'}
      context-user-image=${avatarUrl(self ?? { id: command.botId })}
    ></discord-command>
    ${
      command.failure === null
        ? html`<span class="thinking" role="status">${dots}Sending command…</span>`
        : html`<span class="failed" role="alert">${icons.warning}${command.failure}</span>`
    }
    ${command.failure === null ? nothing : renderEphemeralNote('Dismiss message', () => store.dismissCommand(command.id))}
  </discord-message>`;
}
