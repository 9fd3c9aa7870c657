import { ChannelType } from 'discord-api-types/v10';
import type { WorldChannel } from '../world.ts';
import type { Channel, State } from './state.ts';

/** Threads, as far as Discord has kinds of them. Source: 'Channel', channel types. */
const THREADS: ReadonlySet<ChannelType> = new Set([
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
]);

/** Minutes after which a thread is archived, where nobody says otherwise: a day. */
const ARCHIVE_AFTER = 1440;

export const isThread = ({ type }: Pick<Channel, 'type'>): boolean => THREADS.has(type);

/** Whether it is a thread that is not archived. */
export const isActive = ({ thread }: Channel): boolean => thread?.archived === false;

/** Where a channel's permissions stand: a thread has none of its own. Source: 'Permissions', inherited permissions. */
export function ruledBy(state: State, channel: Channel): Channel {
  return (isThread(channel) && state.channels.get(channel.parentId ?? '')) || channel;
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

/** A channel of a server as a world describes it. `now`: milliseconds since the epoch. */
export function guildChannel(
  guild: { id: string; ownerId: string },
  seed: WorldChannel,
  now: number,
): Channel {
  const { type = seed.parentId ? ChannelType.PublicThread : ChannelType.GuildText, ...rest } = seed;
  return newChannel({
    ...rest,
    type,
    guildId: guild.id,
    ...(THREADS.has(type) && {
      thread: {
        ownerId: guild.ownerId,
        members: [],
        archived: false,
        locked: false,
        invitable: true,
        archiveAfter: ARCHIVE_AFTER,
        changedAt: now,
        sent: 0,
      },
    }),
  });
}
