import {
  type APIApplicationCommand,
  ChannelType,
  ApplicationIntegrationType as Install,
  InteractionContextType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { guildOf, ruledBy } from '../state/channels.ts';
import type { Channel, Guild, Owners, State, User } from '../state/state.ts';
import { channelPermissions, has, isLockedTo, memberOf } from './permissions.ts';

/** Source: 'Application Commands', interaction context types. */
export function contextOf(channel: Channel, applicationId: string): InteractionContextType {
  if (channel.guildId) return InteractionContextType.Guild;
  return channel.type === ChannelType.DM && channel.recipients.includes(applicationId)
    ? InteractionContextType.BotDM
    : InteractionContextType.PrivateChannel;
}

/**
 * Through which installations a user may use a command in a channel; `undefined` where they may not. Source:
 * 'Application Commands', contexts and permissions.
 */
export function commandOwners(
  state: State,
  user: User,
  channel: Channel,
  command: APIApplicationCommand,
): Owners | undefined {
  const { application_id: applicationId, contexts, guild_id: guildId } = command;
  const context = contextOf(channel, applicationId);
  if (guildId && guildId !== channel.guildId) return undefined;
  if (contexts && !contexts.includes(context)) return undefined;
  if (!contexts && command.dm_permission === false && context === InteractionContextType.BotDM)
    return undefined;
  if (channel.guildId && !memberMayUse(state, user, channel, command)) return undefined;
  const types = command.integration_types ?? [Install.GuildInstall];
  const owners: Owners = {};
  if (types.includes(Install.GuildInstall)) {
    const guild = guildOf(state, channel);
    if (guild && hasApp(guild, applicationId)) owners[Install.GuildInstall] = guild.id;
    if (context === InteractionContextType.BotDM) owners[Install.GuildInstall] = '0';
  }
  if (types.includes(Install.UserInstall) && user.installed.includes(applicationId)) {
    owners[Install.UserInstall] = user.id;
  }
  return Object.keys(owners).length > 0 ? owners : undefined;
}

/**
 * Whether commands of an application are there. Source: 'Application Commands', authorizing your application: added with
 * the scope `applications.commands`, they do not depend on a bot user in the server.
 */
const hasApp = (guild: Guild, applicationId: string): boolean =>
  memberOf(guild, applicationId) !== undefined || (guild.installed?.includes(applicationId) ?? false);

function memberMayUse(state: State, user: User, channel: Channel, command: APIApplicationCommand): boolean {
  const permissions = channelPermissions(state, channel, user.id);
  if (!has(permissions, P.ViewChannel | P.UseApplicationCommands)) return false;
  // Source: 'Threads', age-restricted threads.
  if (isLockedTo(channel, permissions) || (command.nsfw && !ruledBy(state, channel).nsfw)) return false;
  const wanted = command.default_member_permissions;
  if (wanted === null || wanted === undefined) return true;
  // '0' is for administrators only.
  return has(permissions, BigInt(wanted) || P.Administrator);
}

/**
 * Whether every answer is ephemeral: the app is not in the server, and the member may not use external apps there.
 * Source: 'Permissions', USE_EXTERNAL_APPS.
 */
export function forcesEphemeral(state: State, userId: string, channel: Channel, owners: Owners): boolean {
  if (!channel.guildId || owners[Install.GuildInstall] !== undefined) return false;
  return !has(channelPermissions(state, channel, userId), P.UseExternalApps);
}
