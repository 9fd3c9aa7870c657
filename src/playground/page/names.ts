import type { APIChannel, APIGuildMember, APIUser } from 'discord-api-types/v10';
import type { VisibleGuild } from '../../local-discord/hand/hand.ts';
import type { View } from './view.ts';

/** A person or bot as one server shows them. */
export interface Shown {
  name: string;
  avatarUrl: string;
  /** Of the highest role that has one. */
  color: string | null;
  /** Name of the highest role that is shown. */
  roleName: string | null;
  bot: boolean;
}

/** `0xRRGGBB` as CSS writes it. */
export function cssColor(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

export function guildOf(view: View): VisibleGuild | undefined {
  return view.guilds.find(({ id }) => id === view.guildId);
}

/** The local Discord draws an avatar for every user, whatever the name of the file. */
export function avatarUrl({ id, avatar }: { id: string; avatar?: string | null }): string {
  return `/avatars/${id}/${avatar ?? 'avatar'}.svg`;
}

/** Addresses of the local Discord's files, on whichever loopback name the page was opened; others stay as they are. */
export function localUrl(url: string): string {
  const { hostname, port, pathname, search } = new URL(url, location.href);
  const ours = port === location.port && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return ours ? pathname + search : url;
}

export function memberOf(view: View, userId: string): APIGuildMember | undefined {
  return guildOf(view)?.members.find(({ user }) => user.id === userId);
}

export function show(view: View, user: APIUser): Shown {
  const member = memberOf(view, user.id);
  const roles = guildOf(view)
    ?.roles.filter(({ id }) => member?.roles.includes(id))
    .sort((a, b) => b.position - a.position);
  const colored = roles?.find(({ color }) => color !== 0);
  return {
    name: member?.nick ?? user.global_name ?? botName(view, user) ?? user.username,
    avatarUrl: avatarUrl(user),
    color: colored ? cssColor(colored.color) : null,
    roleName: roles?.find(({ hoist, color }) => hoist || color !== 0)?.name ?? null,
    bot: user.bot ?? false,
  };
}

/** A bot is called what its application is called. */
function botName(view: View, { id }: APIUser): string | undefined {
  return view.bots.find((bot) => bot.id === id)?.name;
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

/** Among those that the person may see; `guildId`: `null` for a conversation. */
export function channelIn(view: View, guildId: string | null, channelId: string): APIChannel | undefined {
  const channels = guildId ? view.guilds.find(({ id }) => id === guildId)?.channels : view.directMessages;
  return channels?.find(({ id }) => id === channelId);
}

/** Whom else a conversation is with; nobody in a channel of a server. */
export function othersIn(view: View, channel: APIChannel): APIUser[] {
  if (!('recipients' in channel)) return [];
  return channel.recipients?.filter(({ id }) => id !== view.hello?.personId) ?? [];
}

/** Without the `#`; a conversation is called after the others in it. */
export function channelName(view: View, channel: APIChannel): string {
  if (channel.name) return channel.name;
  const others = othersIn(view, channel).map((user) => show(view, user).name);
  return others.length > 0 ? others.join(', ') : 'unknown';
}
