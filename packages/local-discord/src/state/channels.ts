import { ChannelType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { WorldChannel } from '../world.ts';
import type { Channel, Guild, Overwrite, State, Thread } from './state.ts';

/** Threads, as far as Discord has kinds of them. Source: 'Channel', channel types. */
const THREADS: ReadonlySet<ChannelType> = new Set([
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
]);

/** Minutes after which a thread is archived, where nobody says otherwise: a day. */
const ARCHIVE_AFTER = 1440;

export const isThread = ({ type }: Pick<Channel, 'type'>): boolean => THREADS.has(type);

export const isActive = ({ thread }: Channel): boolean => thread?.archived === false;

/**
 * Where a channel's permissions and its age restriction stand: a thread has none of its own. Source: 'Permissions',
 * inherited permissions.
 */
export function ruledBy(state: State, channel: Channel): Channel {
  return (isThread(channel) && state.channels.get(channel.parentId ?? '')) || channel;
}

/** The server that a channel belongs to; none for a conversation. */
export const guildOf = (state: State, { guildId }: Pick<Channel, 'guildId'>): Guild | undefined =>
  guildId === null ? undefined : state.guilds.get(guildId);

/** Replaces what a role or member may in one channel beyond or below their roles. */
export function setOverwrite({ events }: Context, channel: Channel, overwrite: Overwrite): void {
  channel.overwrites = [...channel.overwrites.filter(({ id }) => id !== overwrite.id), overwrite];
  events.publish({ type: 'channel-updated', channel });
}

/** A channel with everything that is not said of it. */
export function newChannel(channel: Pick<Channel, 'id' | 'type'> & Partial<Channel>): Channel {
  return {
    guildId: null,
    parentId: null,
    name: null,
    topic: null,
    nsfw: false,
    overwrites: [],
    recipients: [],
    lastMessageId: null,
    settings: {},
    ...channel,
  };
}

/** A thread of a channel, still without members. */
export function newThread(
  parent: Pick<Channel, 'id' | 'guildId'>,
  { ownerId, now, ...own }: Pick<Channel, 'id' | 'type' | 'name'> & { ownerId: string; now: number },
): Channel & { thread: Thread } {
  const { guildId, id: parentId } = parent;
  const thread: Thread = {
    ownerId,
    members: [],
    archived: false,
    locked: false,
    invitable: true,
    archiveAfter: ARCHIVE_AFTER,
    changedAt: now,
    sent: 0,
  };
  return { ...newChannel({ ...own, guildId, parentId }), thread };
}

/** A channel of a server as a world describes it. `now`: milliseconds since the epoch. */
export function guildChannel(
  guild: { id: string; ownerId: string },
  seed: WorldChannel,
  now: number,
): Channel {
  const { type = seed.parentId ? ChannelType.PublicThread : ChannelType.GuildText, ...rest } = seed;
  const { id, name, parentId } = rest;
  return THREADS.has(type) && parentId
    ? newThread({ id: parentId, guildId: guild.id }, { id, name, type, ownerId: guild.ownerId, now })
    : newChannel({ ...rest, type, guildId: guild.id });
}
