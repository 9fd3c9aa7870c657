import { RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { refusal } from '../rules/errors.ts';
import { channelPermissions, has, memberOf } from '../rules/permissions.ts';
import type { Channel, Guild, Message, State } from '../state/state.ts';

/** A channel that the bot may view, and its permissions there. Throws 10003 or 50001. */
export function accessibleChannel(
  state: State,
  channelId: string,
  botId: string,
): { channel: Channel; permissions: bigint } {
  const channel = state.channels.get(channelId);
  if (!channel) throw refusal(Code.UnknownChannel);
  const permissions = channelPermissions(state, channel, botId);
  if (!has(permissions, P.ViewChannel)) throw refusal(Code.MissingAccess);
  return { channel, permissions };
}

/** A message that a bot token reaches: ephemeral ones it never does. Throws 10008. */
export function reachableMessage(state: State, channelId: string, messageId: string): Message {
  const message = state.messages.get(messageId);
  if (!message || message.channelId !== channelId || message.reader !== null) {
    throw refusal(Code.UnknownMessage);
  }
  return message;
}

/** A server that the bot is in. Throws 10004 or 50001. */
export function accessibleGuild(state: State, guildId: string, botId: string): Guild {
  const guild = state.guilds.get(guildId);
  if (!guild) throw refusal(Code.UnknownGuild);
  if (!memberOf(guild, botId)) throw refusal(Code.MissingAccess);
  return guild;
}

export function need(permissions: bigint, wanted: bigint): void {
  if (!has(permissions, wanted)) throw refusal(Code.MissingPermissions);
}
