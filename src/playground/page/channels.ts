import type { APIChannel } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';
import { avatarUrl, channelName, guildOf, othersIn } from './names.ts';
import type { Session } from './session.ts';
import type { View } from './view.ts';

export const isAgeRestricted = (channel: APIChannel): boolean => 'nsfw' in channel && channel.nsfw === true;

/** The avatar of the other in a conversation, the `#` of a channel. */
export function channelIcon(view: View, channel: APIChannel): TemplateResult {
  const [other] = othersIn(view, channel);
  return other ? html`<img class="avatar" src=${avatarUrl(other)} alt="" />` : icons.hash;
}

function entry(session: Session, channel: APIChannel, chosen: () => void): TemplateResult {
  const { view } = session;
  const here = view.channel?.id === channel.id;
  const unread = !here && view.unread.has(channel.id);
  return html`<li>
    <button
      class="channel ${here ? 'here' : ''} ${unread ? 'unread' : ''}"
      type="button"
      aria-current=${here ? 'page' : nothing}
      @click=${() => {
        void session.openChannel(view.guildId, channel.id);
        chosen();
      }}
    >
      ${channelIcon(view, channel)}
      <span>${channelName(view, channel)}</span>
      ${isAgeRestricted(channel) ? html`<small class="badge" title="Age-restricted">18+</small>` : nothing}
    </button>
  </li>`;
}

/** The channels of the open server, or the conversations. */
export function channels(session: Session, foot: TemplateResult, chosen: () => void): TemplateResult {
  const guild = guildOf(session.view);
  const list = guild?.channels ?? session.view.directMessages;
  return html`<aside class="channels" aria-label="Channels">
    <h1 class="channels-head">${guild?.name ?? 'Direct messages'}</h1>
    <nav aria-label=${guild ? 'Text channels' : 'Conversations'}>
      <h2 class="list-head">${guild ? 'Text channels' : 'Conversations'}</h2>
      <ul>
        ${list.map((channel) => entry(session, channel, chosen))}
      </ul>
    </nav>
    ${foot}
  </aside>`;
}
