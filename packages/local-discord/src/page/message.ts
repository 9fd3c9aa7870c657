import { type APIMessage, ApplicationCommandType, MessageType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { type OpenPhotos, renderAttachments } from './attachments.ts';
import { renderComponents } from './components.ts';
import { type DisplayedUser, displayUser } from './display.ts';
import { renderEmbeds } from './embeds.ts';
import { firstWords } from './first-words.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import { isEphemeral, isLoading, isMadeOfComponents } from './message-flags.ts';
import { messageUrl } from './message-link.ts';
import { hasMenu } from './message-menu.ts';
import { renderReactions } from './reactions.ts';
import type { Store } from './store.ts';
import { clockTime, messageTime } from './timestamps.ts';
import { mentionsUser } from './unread.ts';
import { avatarUrl } from './urls.ts';
import type { PendingCommand, View } from './view.ts';
import type { Words } from './words/en.ts';

const dots = html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`;

/** 'Member used /ping'. */
const usedCommand = (
  { words }: View,
  { name, avatarUrl: avatar, color }: Pick<DisplayedUser, 'name' | 'avatarUrl' | 'color'>,
  command: string,
): TemplateResult =>
  html`<discord-reply slot="reply" author=${name} avatar=${avatar} role-color=${color ?? nothing}
    ><span class="used one-line"
      >${words.messages.used.before} <span class="mention">${command}</span> ${words.messages.used.behind}</span
    ></discord-reply
  >`;

/** What the menu of a message calls this command, in the user's language. */
const nameInMenu = ({ channel }: View, name: string): string =>
  channel?.commands.find((one) => one.type === ApplicationCommandType.Message && one.name === name)
    ?.name_localized ?? name;

/** Above a message: who used which command, or what it replies to. */
function renderHeader(store: Store, message: APIMessage): TemplateResult | typeof nothing {
  const interaction = message.interaction_metadata;
  // Discord's client takes the command's name from the older field: the newer one has none.
  const name = message.interaction?.name;
  if (interaction && name) {
    const who = displayUser(store.view, interaction.user);
    const command =
      message.type === MessageType.ContextMenuCommand ? nameInMenu(store.view, name) : `/${name}`;
    return usedCommand(store.view, who, command);
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
  const text = firstWords(view, original) || view.words.messages.seeAttachment;
  return html`<button
    class="replied one-line"
    type="button"
    aria-label=${view.words.messages.goToAnswered}
    data-url=${messageUrl(view, original)}
    >${text}</button
  >`;
}

function renderEphemeralNote({ words }: View, dismiss: () => void): TemplateResult {
  return html`<p class="ephemeral-note" slot="components">
    ${icons.eye}${words.messages.onlyYou} •
    <button class="link" type="button" @click=${dismiss}>${words.messages.dismiss}</button>
  </p>`;
}

/** One message. `grouped`: without its author, who is named by the message above. */
export function renderMessage(
  store: Store,
  message: APIMessage,
  grouped: boolean,
  openPhotos: OpenPhotos,
): TemplateResult {
  const { view } = store;
  const { locale, words } = view;
  const author = displayUser(view, message.author);
  const withMenu = hasMenu(view, message);
  const at = new Date(message.timestamp);
  const loading = isLoading(message);
  const isEdited = message.edited_timestamp !== null && message.content !== '' && !loading;
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
    ?ephemeral=${isEphemeral(message)}
    ?highlight=${!isEphemeral(message) && mentionsUser(view, message)}
    ?message-body-only=${grouped}
    class=${grouped ? 'grouped' : ''}
  >
    ${renderHeader(store, message)}
    ${
      loading
        ? html`<span class="thinking" role="status">${dots}${words.messages.thinking(author.name)}</span>`
        : message.type === MessageType.UserJoin
          ? html`<em>${words.messages.joined}</em>`
          : markdown(view, message.content, flavour)
    }
    ${isEdited ? html`<small class="edited">${words.messages.edited}</small>` : nothing}
    <div slot="attachments">${isMadeOfComponents(message) ? nothing : renderAttachments(view, message, openPhotos)}</div>
    ${renderEmbeds(view, message, openPhotos)}
    <div slot="components">${renderComponents(store, message, openPhotos)}</div>
    ${renderReactions(store, message)}
    ${
      isEphemeral(message) && !loading
        ? renderEphemeralNote(view, () => void store.dismiss(message.id))
        : nothing
    }
    ${withMenu ? menuButton(words) : nothing}
  </discord-message>`;
}

const menuButton = ({ messages }: Words): TemplateResult => html`<button
  class="tool message-menu-button"
  slot="components"
  type="button"
  aria-label=${messages.appsHere}
  aria-haspopup="menu"
  title=${messages.apps}
>
  ${icons.apps}
</button>`;

/** A command that has no answer yet, or failed. */
export function renderPendingCommand(store: Store, command: PendingCommand): TemplateResult {
  const { view } = store;
  const words = view.words.messages;
  const bot = view.bots.find(({ id }) => id === command.applicationId);
  const self = view.snapshot?.users.find(({ id }) => id === view.snapshot?.userId);
  return html`<discord-message
    role="article"
    author=${bot?.name ?? words.bot}
    avatar=${avatarUrl({ id: command.applicationId })}
    .timestamp=${messageTime(view.locale, command.at)}
    bot
    ?ephemeral=${command.failure !== null}
  >
    ${usedCommand(
      view,
      {
        name: self?.name ?? words.you,
        avatarUrl: avatarUrl(self ?? { id: command.applicationId }),
        color: null,
      },
      command.command,
    )}
    ${
      command.failure === null
        ? html`<span class="thinking" role="status">${dots}${words.sending}</span>`
        : html`<span class="failed" role="alert">${icons.warning}${command.failure}</span>
            ${renderEphemeralNote(view, () => store.dismissCommand(command.nonce))}`
    }
  </discord-message>`;
}
