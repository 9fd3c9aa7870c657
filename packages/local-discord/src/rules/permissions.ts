import { ChannelType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { isThread, ruledBy } from '../state/channels.ts';
import type { Channel, Guild, Member, State } from '../state/state.ts';

export const ALL_PERMISSIONS = Object.values(P).reduce((all, bit) => all | bit, 0n);

/** Without Send Messages these mean nothing. Source: 'Permissions', implicit permissions. */
const NEED_SENDING = P.MentionEveryone | P.SendTTSMessages | P.AttachFiles | P.EmbedLinks;

/** What apps may in a DM or group, and in their own DM. Source: 'Receiving and Responding', `app_permissions`. */
const IN_PRIVATE = P.AttachFiles | P.EmbedLinks | P.MentionEveryone;
const IN_OWN_DM = IN_PRIVATE | P.UseExternalEmojis;

/** What is left of a member's permissions for the time of a timeout. Source: 'Permissions', timed out members. */
const LOOKING = P.ViewChannel | P.ReadMessageHistory;

const isTimedOut = (state: State, { timedOutUntil }: Member): boolean =>
  timedOutUntil !== null && timedOutUntil > state.now();

export function memberOf(guild: Guild, userId: string): Member | undefined {
  return guild.members.find((member) => member.userId === userId);
}

/** A member's permissions in a server, before any channel. `0n` for who is no member. */
export function guildPermissions(state: State, guild: Guild, userId: string): bigint {
  const member = memberOf(guild, userId);
  if (!member) return 0n;
  if (guild.ownerId === userId) return ALL_PERMISSIONS;
  const permissions = guild.roles
    .filter(({ id }) => id === guild.id || member.roles.includes(id))
    .reduce((all, role) => all | role.permissions, 0n);
  if (has(permissions, P.Administrator)) return ALL_PERMISSIONS;
  return isTimedOut(state, member) ? permissions & LOOKING : permissions;
}

/** A user's permissions in one channel. Source: 'Permissions', permission overwrites. */
export function channelPermissions(state: State, channel: Channel, userId: string): bigint {
  if (!channel.guildId) return channel.recipients.includes(userId) ? ALL_PERMISSIONS : 0n;
  const guild = state.guilds.get(channel.guildId);
  const member = guild && memberOf(guild, userId);
  if (!guild || !member) return 0n;
  let permissions = guildPermissions(state, guild, userId);
  if (has(permissions, P.Administrator)) return permissions;

  const { overwrites } = ruledBy(state, channel);
  const layers = [
    overwrites.filter(({ kind, id }) => kind === 'role' && id === guild.id),
    overwrites.filter(({ kind, id }) => kind === 'role' && member.roles.includes(id)),
    overwrites.filter(({ kind, id }) => kind === 'member' && id === userId),
  ];
  for (const layer of layers) {
    for (const { deny = 0n } of layer) permissions &= ~deny;
    for (const { allow = 0n } of layer) permissions |= allow;
  }
  if (!has(permissions, P.ViewChannel)) return 0n;
  if (isTimedOut(state, member)) return permissions & LOOKING;
  if (channel.type === ChannelType.PrivateThread && !isInvited(channel, userId)) {
    if (!has(permissions, P.ManageThreads)) return 0n;
  }
  return has(permissions, sending(channel)) ? permissions : permissions & ~NEED_SENDING;
}

/** What it takes to write there. Source: 'Permissions', inherited permissions. */
export const sending = (channel: Channel): bigint =>
  isThread(channel) ? P.SendMessagesInThreads : P.SendMessages;

/** Nobody else writes in a locked thread. Source: 'Threads', permissions; 160005 in 'Opcodes and Status Codes'. */
export const isLockedTo = ({ thread }: Channel, permissions: bigint): boolean =>
  thread?.locked === true && !has(permissions, P.ManageThreads);

const isInvited = ({ thread }: Channel, userId: string): boolean =>
  thread?.members.some((member) => member.userId === userId) ?? false;

export const sees = (state: State, channel: Channel, userId: string): boolean =>
  has(channelPermissions(state, channel, userId), P.ViewChannel);

/** `app_permissions` of an interaction: what the app may where it was used. */
export function appPermissions(state: State, channel: Channel, applicationId: string): bigint {
  if (!channel.guildId) return channel.recipients.includes(applicationId) ? IN_OWN_DM : IN_PRIVATE;
  const guild = state.guilds.get(channel.guildId);
  return guild && memberOf(guild, applicationId)
    ? channelPermissions(state, channel, applicationId)
    : IN_OWN_DM;
}

export function has(permissions: bigint, wanted: bigint): boolean {
  return (permissions & wanted) === wanted;
}
