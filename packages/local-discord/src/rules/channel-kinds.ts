import { ChannelType } from 'discord-api-types/v10';
import type { Channel } from '../state/state.ts';

type OfKind = Pick<Channel, 'type'>;

/** Whether what stands in it are posts: threads that begin with a message. Source: 'Channel', channel types. */
export const isForum = ({ type }: OfKind): boolean =>
  type === ChannelType.GuildForum || type === ChannelType.GuildMedia;

/** Whether messages stand in it: a category and a forum hold channels and posts only. */
export const hasMessages = (channel: OfKind): boolean =>
  channel.type !== ChannelType.GuildCategory && !isForum(channel);
