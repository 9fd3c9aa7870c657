import type { APIChannel, APIUser } from 'discord-api-types/v10';
import { guildOf, memberOf, otherRecipients } from './selectors.ts';
import { avatarUrl } from './urls.ts';
import type { View } from './view.ts';

/** A user as the open server shows them. */
export interface DisplayedUser {
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

/** The colour of a role as the colour of words: on a light page, a darker one. */
const readable = (color: string) => `light-dark(color-mix(in oklab, ${color} 62%, #000), ${color})`;

export function displayUser(view: View, user: APIUser): DisplayedUser {
  const member = memberOf(view, user.id);
  const roles = guildOf(view)
    ?.roles.filter(({ id }) => member?.roles.includes(id))
    .sort((a, b) => b.position - a.position);
  const colored = roles?.find(({ color }) => color !== 0);
  return {
    name: member?.nick ?? user.global_name ?? applicationName(view, user) ?? user.username,
    avatarUrl: avatarUrl(user),
    color: colored ? readable(cssColor(colored.color)) : null,
    roleName: roles?.find(({ hoist, color }) => hoist || color !== 0)?.name ?? null,
    bot: user.bot ?? false,
  };
}

/** Discord's client shows a bot under its application's name. */
function applicationName(view: View, { id }: APIUser): string | undefined {
  return view.bots.find((bot) => bot.id === id)?.name;
}

/** Without the `#`; a direct message has the name of the others in it. */
export function channelName(view: View, channel: APIChannel): string {
  if (channel.name) return channel.name;
  const others = otherRecipients(view, channel).map((user) => displayUser(view, user).name);
  return others.length > 0 ? others.join(', ') : view.words.unknown.channel;
}
