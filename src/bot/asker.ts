import { ApplicationIntegrationType, type BaseInteraction } from 'discord.js';
import type { Asker } from './command.ts';
import { missingToPost } from './permissions.ts';

/** Attachments take 10 MiB where an interaction does not say otherwise: Discord's documentation, "Uploading Files". */
export const ATTACHMENT_LIMIT = 10 * 1024 * 1024;

/** `interaction` as handlers see it: raw fields only, because nothing is cached. */
export function askerOf(interaction: BaseInteraction): Asker {
  const { guildId, channelId } = interaction;
  if (channelId === null) throw new Error('an interaction without a channel');
  return {
    id: interaction.id,
    token: interaction.token,
    applicationId: interaction.applicationId,
    memberId: interaction.user.id,
    guildId,
    channelId,
    locale: interaction.locale,
    askedAt: interaction.createdTimestamp,
    may: (permission) => interaction.memberPermissions?.has(permission) ?? false,
    botLacks() {
      // Where only its user has installed it, the bot is no member: its answers pass by what the user may do.
      const installed = interaction.authorizingIntegrationOwners[ApplicationIntegrationType.GuildInstall];
      if (guildId === null || installed === undefined) return [];
      return missingToPost(interaction.appPermissions);
    },
    attachmentLimit: interaction.attachmentSizeLimit || ATTACHMENT_LIMIT,
  };
}
