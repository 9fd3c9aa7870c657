import type { ChannelType } from 'discord-api-types/v10';
import { channelName, displayUser } from './display.ts';
import { guildOf, usersInView } from './selectors.ts';
import type { View } from './view.ts';

/** A user, role or channel that may be picked; `value` is its id. */
export interface Mentionable {
  label: string;
  value: string;
}

/** Of the open server or direct message. */
export const users = (view: View): Mentionable[] =>
  usersInView(view).map((user) => ({ label: displayUser(view, user).name, value: user.id }));

export const roles = (view: View): Mentionable[] =>
  guildOf(view)?.roles.map(({ id, name }) => ({ label: name, value: id })) ?? [];

export const mentionables = (view: View): Mentionable[] => [...users(view), ...roles(view)];

/** Of these types; of every type where there are none. */
export const channels = (view: View, types: readonly ChannelType[] = []): Mentionable[] =>
  (guildOf(view)?.channels ?? [])
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .map((channel) => ({ label: `#${channelName(view, channel)}`, value: channel.id }));
