import {
  type APIChannel,
  type APIOverwrite,
  type APIThreadMember,
  ChannelType,
  OverwriteType,
} from 'discord-api-types/v10';
import { isThread } from '../state/channels.ts';
import { createdAt } from '../state/snowflakes.ts';
import type { Channel, State, Thread } from '../state/state.ts';
import { NO_FLAGS, serializeUserById } from './user.ts';

/** Source: 'Channel', channel object. A DM's `recipients` leave out the one who asks, `viewerId`. */
export function serializeChannel(state: State, channel: Channel, viewerId: string): APIChannel {
  const { id, type, name } = channel;
  const last_message_id = channel.lastMessageId;
  const recipients = channel.recipients
    .filter((userId) => userId !== viewerId)
    .map((userId) => serializeUserById(state, userId));
  if (type === ChannelType.DM) return { id, type, name: null, recipients, last_message_id };
  if (type === ChannelType.GroupDM) {
    const owner_id = channel.recipients[0] ?? '0';
    return { id, type, name, icon: null, owner_id, recipients, last_message_id };
  }
  const common = {
    id,
    type,
    guild_id: channel.guildId ?? '0',
    name: name ?? '',
    parent_id: channel.parentId,
    flags: 0,
  };
  const own = isThread(channel)
    ? { ...threadFields(state, channel, viewerId), last_message_id }
    : {
        ...fieldsOf(channel),
        nsfw: channel.nsfw,
        position: positionOf(state, channel),
        permission_overwrites: channel.overwrites.map(serializeOverwrite),
      };
  // What belongs to which type is decided by the type.
  return { ...common, ...own, ...channel.settings } as unknown as APIChannel;
}

/** What Discord says of a channel of this kind, also where nobody has set it. */
function fieldsOf({ type, topic, lastMessageId: last_message_id }: Channel): object {
  switch (type) {
    case ChannelType.GuildCategory:
      return {};
    case ChannelType.GuildVoice:
    case ChannelType.GuildStageVoice:
      return { bitrate: 64_000, user_limit: 0, rtc_region: null, rate_limit_per_user: 0, last_message_id };
    case ChannelType.GuildForum:
    case ChannelType.GuildMedia:
      return {
        topic,
        available_tags: [],
        default_reaction_emoji: null,
        default_sort_order: null,
        default_forum_layout: 0,
        rate_limit_per_user: 0,
        last_message_id,
      };
    default:
      return { topic, rate_limit_per_user: 0, last_message_id };
  }
}

function threadFields(state: State, { id, type, thread }: Channel, viewerId: string): object {
  if (!thread) return {};
  const there = [...state.messages.values()].filter((one) => one.channelId === id && one.id !== id).length;
  const member = thread.members.find(({ userId }) => userId === viewerId);
  return {
    owner_id: thread.ownerId,
    rate_limit_per_user: 0,
    message_count: there,
    total_message_sent: thread.sent,
    member_count: thread.members.length,
    applied_tags: [],
    ...(member && { member: serializeThreadMember(id, member) }),
    thread_metadata: {
      archived: thread.archived,
      auto_archive_duration: thread.archiveAfter,
      archive_timestamp: new Date(thread.changedAt).toISOString(),
      locked: thread.locked,
      create_timestamp: new Date(createdAt(id)).toISOString(),
      ...(type === ChannelType.PrivateThread && { invitable: thread.invitable }),
    },
  };
}

export function serializeThreadMember(
  id: string,
  { userId, joinedAt }: Thread['members'][number],
): APIThreadMember {
  const join_timestamp = new Date(joinedAt).toISOString();
  return { id, user_id: userId, join_timestamp, flags: NO_FLAGS };
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

/** Of what stands in a channel: the server that it belongs to, if any. */
export const guildIdOf = (channel: Pick<Channel, 'guildId'> | undefined): { guild_id?: string } =>
  channel?.guildId ? { guild_id: channel.guildId } : {};

function positionOf(state: State, channel: Channel): number {
  return [...state.channels.values()]
    .filter((other) => other.guildId === channel.guildId && !isThread(other))
    .indexOf(channel);
}
