import {
  type APIChannel,
  type APIInteraction,
  InteractionContextType,
  InteractionType,
} from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import { attachmentSizeLimit } from '../rules/attachments.ts';
import { contextOf } from '../rules/command-access.ts';
import { appPermissions, channelPermissions, memberOf } from '../rules/permissions.ts';
import type { Interaction, Message } from '../state/state.ts';
import { wireChannel } from '../wire/channel.ts';
import { wireMember } from '../wire/guild.ts';
import { wireMessage } from '../wire/message.ts';
import { wireUserById } from '../wire/user.ts';

/** What the bot receives. Source: 'Receiving and Responding', interaction structure. */
export function interactionPayload(
  core: Core,
  interaction: Interaction,
  { token, data, message }: { token: string; data: object; message: Message | undefined },
): APIInteraction {
  const { state, links, limits } = core;
  const { provenance, guildId } = interaction;
  const { userId, applicationId } = provenance;
  const channel = state.channels.get(interaction.channelId);
  const guild = guildId ? state.guilds.get(guildId) : undefined;
  const member = guild && memberOf(guild, userId);
  const permissions = channel ? String(channelPermissions(state, channel, userId)) : '0';
  const payload = {
    id: provenance.id,
    application_id: applicationId,
    type: provenance.type,
    token,
    version: 1,
    data,
    channel_id: interaction.channelId,
    channel: channel && partialChannel(wireChannel(state, channel, userId), permissions),
    app_permissions: channel ? String(appPermissions(state, channel, applicationId)) : '0',
    authorizing_integration_owners: provenance.owners,
    attachment_size_limit: attachmentSizeLimit(limits.attachment, guild),
    entitlements: [],
    context: channel ? contextOf(channel, applicationId) : InteractionContextType.Guild,
    locale: state.users.get(userId)?.locale ?? 'en-US',
    ...(guild && {
      guild_id: guild.id,
      guild: { id: guild.id, locale: guild.locale, features: [] },
      guild_locale: guild.locale,
    }),
    ...(guild && member
      ? { member: { ...wireMember(state, member), permissions } }
      : { user: wireUserById(state, userId) }),
    ...(message && { message: wireMessage(state, links, message) }),
  };
  // `data` belongs to the type: both come from the same place of the hand.
  return payload as unknown as APIInteraction;
}

function partialChannel(channel: APIChannel, permissions: string): object {
  return { ...channel, permissions };
}

/** Types whose first answer may change the message with the component. */
export function comesFromMessage({ provenance }: Interaction): boolean {
  return (
    provenance.sourceMessageId !== null &&
    (provenance.type === InteractionType.MessageComponent || provenance.type === InteractionType.ModalSubmit)
  );
}
