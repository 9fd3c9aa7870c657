import { type APIChannel, ChannelType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { hasMessages } from '../rules/channel-kinds.ts';
import { type ChannelBranch, channelTree, isCategory } from './channel-tree.ts';
import { channelName } from './display.ts';
import { icons } from './icons.ts';
import { guildOf, otherRecipients } from './selectors.ts';
import type { Store } from './store.ts';
import { avatarUrl } from './urls.ts';
import type { View } from './view.ts';

export const isAgeRestricted = (channel: APIChannel): boolean => 'nsfw' in channel && channel.nsfw === true;

type Kind = keyof View['words']['servers']['kinds'];

/** What a channel is, where it is more than text. */
const KINDS: Partial<Record<ChannelType, Kind>> = {
  [ChannelType.GuildVoice]: 'voice',
  [ChannelType.GuildStageVoice]: 'voice',
  [ChannelType.GuildAnnouncement]: 'announcements',
  [ChannelType.GuildForum]: 'forum',
  [ChannelType.GuildMedia]: 'forum',
  [ChannelType.PublicThread]: 'thread',
  [ChannelType.PrivateThread]: 'thread',
  [ChannelType.AnnouncementThread]: 'thread',
};

/** The avatar of the other in a conversation, the `#` of a text channel, the signs of the other kinds. */
export function channelIcon(view: View, channel: APIChannel): TemplateResult {
  const [other] = otherRecipients(view, channel);
  const kind = KINDS[channel.type];
  return other ? html`<img class="avatar" src=${avatarUrl(other)} alt="" />` : icons[kind ?? 'hash'];
}

function nameAndKind(view: View, channel: APIChannel): TemplateResult {
  const kind = KINDS[channel.type];
  return html`<span class="one-line">${channelName(view, channel)}</span>
    ${kind ? html`<span class="visually-hidden">${view.words.servers.kinds[kind]}</span>` : nothing}`;
}

function renderBranch(store: Store, { channel, below }: ChannelBranch, onOpen: () => void): TemplateResult {
  const { view } = store;
  return html`<li>
    ${
      hasMessages(channel)
        ? renderChannel(store, channel, onOpen)
        : html`<div class="channel holder">${channelIcon(view, channel)}${nameAndKind(view, channel)}</div>`
    }
    ${below.length > 0 ? html`<ul class="threads">${below.map((branch) => renderBranch(store, branch, onOpen))}</ul>` : nothing}
  </li>`;
}

function renderChannel(store: Store, channel: APIChannel, onOpen: () => void): TemplateResult {
  const { view } = store;
  const words = view.words.servers;
  const selected = view.channel?.id === channel.id;
  const unread = !selected && view.unread.has(channel.id);
  const calls = unread ? (view.unread.get(channel.id) ?? 0) : 0;
  return html`<button
      class="channel ${selected ? 'selected' : ''} ${unread ? 'unread' : ''}"
      type="button"
      aria-current=${selected ? 'page' : nothing}
      @click=${() => {
        void store.openChannel(view.guildId, channel.id);
        onOpen();
      }}
    >
      ${channelIcon(view, channel)}
      ${nameAndKind(view, channel)}
      ${unread ? html`<span class="visually-hidden">${calls > 0 ? words.calls(calls) : words.unread}</span>` : nothing}
      ${calls > 0 ? html`<small class="calls" aria-hidden="true">${calls}</small>` : nothing}
      ${isAgeRestricted(channel) ? html`<small class="badge" title=${words.ageRestricted}>18+</small>` : nothing}
    </button>`;
}

/** The channels of the open server, or the direct messages. */
export function channels(store: Store, foot: TemplateResult, onOpen: () => void): TemplateResult {
  const words = store.view.words.servers;
  const guild = guildOf(store.view);
  const tree = channelTree(guild?.channels ?? store.view.directMessages);
  const group = (heading: string, branches: readonly ChannelBranch[]) =>
    html`<h2 class="list-head">${heading}</h2>
      <ul>
        ${branches.map((branch) => renderBranch(store, branch, onOpen))}
      </ul>`;
  const alone = tree.filter(({ channel }) => !isCategory(channel));
  return html`<aside class="channels" aria-label=${words.channels}>
    <h2 class="channels-head one-line">${guild?.name ?? words.direct}</h2>
    <nav aria-label=${guild ? words.textChannels : words.conversations}>
      ${alone.length > 0 || !guild ? group(guild ? words.textChannels : words.conversations, alone) : nothing}
      ${tree
        .filter(({ channel }) => isCategory(channel))
        .map(({ channel, below }) => group(channelName(store.view, channel), below))}
    </nav>
    ${foot}
  </aside>`;
}
