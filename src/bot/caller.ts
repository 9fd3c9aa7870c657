import type { BaseInteraction } from 'discord.js';
import type { Caller } from '../jobs/job-request.ts';
import { MESSAGE_LIMITS } from '../messages/message.ts';

/** Who made `interaction`, from where: raw fields only, because nothing is cached. */
export function callerOf(interaction: BaseInteraction): Caller {
  const { guildId, channelId, applicationId } = interaction;
  if (channelId === null) throw new Error('an interaction without a channel');
  return {
    member: { id: interaction.user.id, locale: interaction.locale },
    guildId,
    channelId,
    applicationId,
    attachmentLimit: interaction.attachmentSizeLimit || MESSAGE_LIMITS.attachment,
    interaction: {
      id: interaction.id,
      token: interaction.token,
      createdAt: interaction.createdTimestamp,
    },
  };
}
