import { ChannelType, RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { apiError } from '../rules/errors.ts';
import { channelPermissions, guildPermissions, has, memberOf } from '../rules/permissions.ts';
import type { Channel, Guild, Member, Message, Role, State } from '../state/state.ts';

/** A channel that the bot may view, and its permissions there. Throws 10003, 50001 or, for `required`, 50013. */
export function accessibleChannel(state: State, channelId: string, botId: string, required = 0n) {
  const channel = state.channels.get(channelId);
  if (!channel) throw apiError(Code.UnknownChannel);
  const permissions = channelPermissions(state, channel, botId);
  if (!has(permissions, P.ViewChannel)) throw apiError(Code.MissingAccess);
  requirePermissions(permissions, required);
  return { channel, permissions };
}

/** A channel whose messages the bot may read. Throws as `accessibleChannel`. Source: 'Message', Get Channel Messages. */
export function readableChannel(...[state, channelId, botId]: Parameters<typeof accessibleChannel>) {
  const found = accessibleChannel(state, channelId, botId);
  const { type } = found.channel;
  const isVoice = type === ChannelType.GuildVoice || type === ChannelType.GuildStageVoice;
  if (isVoice && !has(found.permissions, P.Connect)) throw apiError(Code.MissingAccess);
  return found;
}

/** A message that a bot token reaches: ephemeral ones it never does. Throws 10008. */
export function reachableMessage(state: State, channelId: string, messageId: string): Message {
  const message = state.messages.get(messageId);
  if (!message || message.channelId !== channelId || message.reader !== null) {
    throw apiError(Code.UnknownMessage);
  }
  return message;
}

/** A server that the bot is in. Throws 10004 or 50001. */
export function accessibleGuild(state: State, guildId: string, botId: string): Guild {
  const guild = state.guilds.get(guildId);
  if (!guild) throw apiError(Code.UnknownGuild);
  if (!memberOf(guild, botId)) throw apiError(Code.MissingAccess);
  return guild;
}

/** A member of a server. Throws 10013 or 10007. */
export function knownMember(state: State, guild: Guild, userId: string): Member {
  if (!state.users.has(userId)) throw apiError(Code.UnknownUser);
  const member = memberOf(guild, userId);
  if (!member) throw apiError(Code.UnknownMember);
  return member;
}

export function requirePermissions(permissions: bigint, required: bigint): void {
  if (!has(permissions, required)) throw apiError(Code.MissingPermissions);
}

/** The same, of what is done in servers only. Throws 50003 or 50013. */
export function requireInGuild({ guildId }: Channel, permissions: bigint, required: bigint): void {
  if (!guildId) throw apiError(Code.CannotExecuteActionOnDMChannel);
  requirePermissions(permissions, required);
}

/** A server in which the bot has a permission. Throws 10004, 50001 or 50013. */
export function administeredGuild(state: State, guildId: string, botId: string, required: bigint): Guild {
  const guild = accessibleGuild(state, guildId, botId);
  requirePermissions(guildPermissions(state, guild, botId), required);
  return guild;
}

/** The place of a member's highest role. Source: 'Permissions', permission hierarchy. */
function rankOf(guild: Guild, userId: string): number {
  if (guild.ownerId === userId) return Number.POSITIVE_INFINITY;
  const roles = memberOf(guild, userId)?.roles ?? [];
  return Math.max(0, ...roles.map((id) => guild.roles.findIndex((role) => role.id === id)));
}

/** Throws 50013 where the other member's highest role is not below the bot's. */
export function requireRank(guild: Guild, botId: string, userId: string): void {
  if (rankOf(guild, botId) <= rankOf(guild, userId)) throw apiError(Code.MissingPermissions);
}

/** A role below the bot's highest. Throws 10011 or 50013. */
export function requireRoleBelow(guild: Guild, botId: string, roleId: string): Role {
  const place = guild.roles.findIndex(({ id }) => id === roleId);
  const role = guild.roles[place];
  if (!role) throw apiError(Code.UnknownRole);
  if (rankOf(guild, botId) <= place) throw apiError(Code.MissingPermissions);
  return role;
}
