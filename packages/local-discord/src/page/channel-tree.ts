import { type APIChannel, ChannelType } from 'discord-api-types/v10';
import { hasMessages } from '../rules/channel-kinds.ts';

/** A channel with what hangs below it: the channels of a category, the threads of a channel, the posts of a forum. */
export interface ChannelBranch {
  channel: APIChannel;
  below: ChannelBranch[];
}

export const isCategory = ({ type }: APIChannel): boolean => type === ChannelType.GuildCategory;

/** The channels of a server as Discord's client orders them: what is in no category comes first. */
export function channelTree(channels: readonly APIChannel[]): ChannelBranch[] {
  const known = new Set(channels.map(({ id }) => id));
  const parentOf = (channel: APIChannel) =>
    'parent_id' in channel && channel.parent_id && known.has(channel.parent_id) ? channel.parent_id : null;
  const below = (parentId: string | null): ChannelBranch[] =>
    channels
      .filter((channel) => parentOf(channel) === parentId)
      .sort((a, b) => Number(isCategory(a)) - Number(isCategory(b)) || placeOf(a) - placeOf(b))
      .map((channel) => ({ channel, below: below(channel.id) }));
  return below(null);
}

/** Threads have no place of their own: they stay in the order in which they were made. */
const placeOf = (channel: APIChannel): number => ('position' in channel ? channel.position : 0);

/** The first one that can be opened, from the top. */
export function firstOpen(branches: readonly ChannelBranch[]): APIChannel | undefined {
  for (const { channel, below } of branches) {
    const found = hasMessages(channel) ? channel : firstOpen(below);
    if (found) return found;
  }
  return undefined;
}
