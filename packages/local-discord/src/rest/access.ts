import { RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { apiError } from '../rules/errors.ts';
import { channelPermissions, has, memberOf } from '../rules/permissions.ts';
import type { Channel, Guild, Message, State } from '../state/state.ts';

/** A channel that the bot may view, and its permissions there. Throws 10003 or 50001. */
export function accessibleChannel(
  state: State,
  channelId: string,
  botId: string,
): { channel: Channel; permissions: bigint } {
  const channel = state.channels.get(channelId);
  if (!channel) throw apiError(Code.UnknownChannel);
  const permissions = channelPermissions(state, channel, botId);
  if (!has(permissions, P.ViewChannel)) throw apiError(Code.MissingAccess);
  return { channel, permissions };
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

export function requirePermissions(permissions: bigint, required: bigint): void {
  if (!has(permissions, required)) throw apiError(Code.MissingPermissions);
}
