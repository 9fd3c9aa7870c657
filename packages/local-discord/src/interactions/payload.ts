import { type APIInteraction, InteractionContextType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { contextOf } from '../rules/command-access.ts';
import { appPermissions, channelPermissions, memberOf } from '../rules/permissions.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { serializeMember } from '../serialize/guild.ts';
import { serializeMessage } from '../serialize/message.ts';
import { serializeUserById } from '../serialize/user.ts';
import { guildOf } from '../state/channels.ts';
import type { Interaction, Message } from '../state/state.ts';

/** What the bot receives. Source: 'Receiving and Responding', interaction structure. */
export function interactionPayload(
  context: Context,
  interaction: Interaction,
  { token, data, message }: { token: string; data: object; message: Message | undefined },
): APIInteraction {
  const { state, limits } = context;
  const { metadata } = interaction;
  const { userId, applicationId } = metadata;
  const channel = state.channels.get(interaction.channelId);
  const guild = guildOf(state, interaction);
  const member = guild && memberOf(guild, userId);
  const permissions = channel ? String(channelPermissions(state, channel, userId)) : '0';
  const payload = {
    id: metadata.id,
    application_id: applicationId,
    type: metadata.type,
    token,
    version: 1,
    data,
    channel_id: interaction.channelId,
    channel: channel && { ...serializeChannel(state, channel, userId), permissions },
    app_permissions: channel ? String(appPermissions(state, channel, applicationId)) : '0',
    authorizing_integration_owners: metadata.owners,
    attachment_size_limit: limits.attachment,
    entitlements: [],
    context: channel ? contextOf(channel, applicationId) : InteractionContextType.Guild,
    locale: state.users.get(userId)?.locale ?? 'en-US',
    ...(guild && {
      guild_id: guild.id,
      guild: { id: guild.id, locale: guild.locale, features: [] },
      guild_locale: guild.locale,
    }),
    ...(guild && member
      ? { member: { ...serializeMember(state, member), permissions } }
      : { user: serializeUserById(state, userId) }),
    ...(message && { message: serializeMessage(context, message, applicationId) }),
  };
  // `data` belongs to the type: both come from the same call of the user client.
  return payload as unknown as APIInteraction;
}
