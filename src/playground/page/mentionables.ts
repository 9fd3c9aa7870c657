import type { APIUser } from 'discord-api-types/v10';
import { channelById, channelName, guildOf, show } from './names.ts';
import type { View } from './view.ts';

/** A person, role or channel that may be picked; `value` is its id. */
export interface Mentionable {
  label: string;
  value: string;
}

function usersHere(view: View): APIUser[] {
  const members = guildOf(view)?.members.map(({ user }) => user);
  if (members) return members;
  const channel = view.channel && channelById(view, view.channel.id);
  return channel && 'recipients' in channel ? (channel.recipients ?? []) : [];
}

/** Of the open server, or of the open conversation. */
export const people = (view: View): Mentionable[] =>
  usersHere(view).map((user) => ({ label: show(view, user).name, value: user.id }));

export const roles = (view: View): Mentionable[] =>
  guildOf(view)?.roles.map(({ id, name }) => ({ label: name, value: id })) ?? [];

export const mentionables = (view: View): Mentionable[] => [...people(view), ...roles(view)];

export const channels = (view: View): Mentionable[] =>
  guildOf(view)?.channels.map((channel) => ({
    label: `#${channelName(view, channel)}`,
    value: channel.id,
  })) ?? [];
