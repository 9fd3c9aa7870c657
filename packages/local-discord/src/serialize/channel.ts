import { type APIChannel, type APIOverwrite, ChannelType, OverwriteType } from 'discord-api-types/v10';
import type { Channel, State } from '../state/state.ts';
import { serializeUserById } from './user.ts';

/** Source: 'Channel', channel object. A DM's `recipients` leave out the one who asks, `viewerId`. */
export function serializeChannel(state: State, channel: Channel, viewerId: string): APIChannel {
  const last = channel.lastMessageId;
  if (channel.parentId !== undefined) {
    return {
      id: channel.id,
      type: ChannelType.PublicThread,
      guild_id: channel.guildId ?? '0',
      name: channel.name ?? '',
      parent_id: channel.parentId,
      rate_limit_per_user: 0,
      last_message_id: last,
      applied_tags: [],
    };
  }
  if (channel.kind === 'text') {
    return {
      id: channel.id,
      type: ChannelType.GuildText,
      guild_id: channel.guildId ?? '0',
      name: channel.name ?? '',
      topic: channel.topic,
      nsfw: channel.nsfw,
      position: positionOf(state, channel),
      parent_id: null,
      rate_limit_per_user: 0,
      last_message_id: last,
      permission_overwrites: channel.overwrites.map(serializeOverwrite),
    };
  }
  const recipients = channel.recipients
    .filter((id) => id !== viewerId)
    .map((id) => serializeUserById(state, id));
  if (channel.kind === 'dm') {
    return { id: channel.id, type: ChannelType.DM, name: null, recipients, last_message_id: last };
  }
  return {
    id: channel.id,
    type: ChannelType.GroupDM,
    name: channel.name,
    icon: null,
    owner_id: channel.recipients[0] ?? '0',
    recipients,
    last_message_id: last,
  };
}

function serializeOverwrite({
  id,
  kind,
  allow = 0n,
  deny = 0n,
}: Channel['overwrites'][number]): APIOverwrite {
  const type = kind === 'role' ? OverwriteType.Role : OverwriteType.Member;
  return { id, type, allow: String(allow), deny: String(deny) };
}

function positionOf(state: State, channel: Channel): number {
  const siblings = [...state.channels.values()].filter(({ guildId }) => guildId === channel.guildId);
  return siblings.indexOf(channel);
}
