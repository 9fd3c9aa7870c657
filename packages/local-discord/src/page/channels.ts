import type { APIChannel } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { channelName } from './display.ts';
import { icons } from './icons.ts';
import { guildOf, otherRecipients } from './selectors.ts';
import type { Store } from './store.ts';
import { avatarUrl } from './urls.ts';
import type { View } from './view.ts';

export const isAgeRestricted = (channel: APIChannel): boolean => 'nsfw' in channel && channel.nsfw === true;

/** The avatar of the other in a conversation, the `#` of a channel. */
export function channelIcon(view: View, channel: APIChannel): TemplateResult {
  const [other] = otherRecipients(view, channel);
  return other ? html`<img class="avatar" src=${avatarUrl(other)} alt="" />` : icons.hash;
}

function renderChannel(store: Store, channel: APIChannel, onOpen: () => void): TemplateResult {
  const { view } = store;
  const words = view.words.servers;
  const selected = view.channel?.id === channel.id;
  const unread = !selected && view.unread.has(channel.id);
  const calls = unread ? (view.unread.get(channel.id) ?? 0) : 0;
  return html`<li>
    <button
      class="channel ${selected ? 'selected' : ''} ${unread ? 'unread' : ''}"
      type="button"
      aria-current=${selected ? 'page' : nothing}
      @click=${() => {
        void store.openChannel(view.guildId, channel.id);
        onOpen();
      }}
    >
      ${channelIcon(view, channel)}
      <span>${channelName(view, channel)}</span>
      ${unread ? html`<span class="visually-hidden">${calls > 0 ? words.calls(calls) : words.unread}</span>` : nothing}
      ${calls > 0 ? html`<small class="calls" aria-hidden="true">${calls}</small>` : nothing}
      ${isAgeRestricted(channel) ? html`<small class="badge" title=${words.ageRestricted}>18+</small>` : nothing}
    </button>
  </li>`;
}

/** The channels of the open server, or the direct messages. */
export function channels(store: Store, foot: TemplateResult, onOpen: () => void): TemplateResult {
  const words = store.view.words.servers;
  const guild = guildOf(store.view);
  const list = guild?.channels ?? store.view.directMessages;
  return html`<aside class="channels" aria-label=${words.channels}>
    <h2 class="channels-head">${guild?.name ?? words.direct}</h2>
    <nav aria-label=${guild ? words.textChannels : words.conversations}>
      <h2 class="list-head">${guild ? words.textChannels : words.conversations}</h2>
      <ul>
        ${list.map((channel) => renderChannel(store, channel, onOpen))}
      </ul>
    </nav>
    ${foot}
  </aside>`;
}
