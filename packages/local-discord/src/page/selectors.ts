import type { APIChannel, APIGuildMember, APIUser } from 'discord-api-types/v10';
import type { VisibleGuild } from '../user-client/shapes.ts';
import type { View } from './view.ts';

/** The open server. */
export function guildOf(view: View): VisibleGuild | undefined {
  return view.guilds.find(({ id }) => id === view.guildId);
}

export function memberOf(view: View, userId: string): APIGuildMember | undefined {
  return guildOf(view)?.members.find(({ user }) => user.id === userId);
}

export function userById(view: View, userId: string): APIUser | undefined {
  const everyone = [
    ...view.guilds.flatMap(({ members }) => members.map(({ user }) => user)),
    ...view.directMessages.flatMap((channel) => ('recipients' in channel ? (channel.recipients ?? []) : [])),
  ];
  return everyone.find(({ id }) => id === userId);
}

export function channelById(view: View, channelId: string): APIChannel | undefined {
  return [...view.directMessages, ...view.guilds.flatMap(({ channels }) => channels)].find(
    ({ id }) => id === channelId,
  );
}

/** Among those that the user may see; `guildId`: `null` for a direct message. */
export function channelIn(view: View, guildId: string | null, channelId: string): APIChannel | undefined {
  const channels = guildId ? view.guilds.find(({ id }) => id === guildId)?.channels : view.directMessages;
  return channels?.find(({ id }) => id === channelId);
}

export function openChannelOf(view: View): APIChannel | undefined {
  return view.channel ? channelById(view, view.channel.id) : undefined;
}

/** Everybody in the open server or direct message. */
export function usersInView(view: View): APIUser[] {
  const members = guildOf(view)?.members.map(({ user }) => user);
  if (members) return members;
  const channel = openChannelOf(view);
  return channel && 'recipients' in channel ? (channel.recipients ?? []) : [];
}

/** Whom else a direct message is with; nobody in a channel of a server. */
export function otherRecipients(view: View, channel: APIChannel): APIUser[] {
  if (!('recipients' in channel)) return [];
  return channel.recipients?.filter(({ id }) => id !== view.snapshot?.userId) ?? [];
}
