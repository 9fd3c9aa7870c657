import { type BaseInteraction, GuildMember, InteractionContextType } from 'discord.js';
import type { Caller } from '../jobs/job-request.ts';
import { MESSAGE_LIMITS } from '../messages/message.ts';
import type { AgeRestriction } from './age-restriction.ts';
import { channelOf } from './interaction-channel.ts';
import type { Membership } from './membership.ts';

/** Who made `interaction`, from where: raw fields only, because nothing is cached. */
export function callerOf(
  interaction: BaseInteraction,
  { membership, ageRestriction }: { membership: Membership; ageRestriction: AgeRestriction },
): Caller {
  const { guildId, channelId, applicationId } = interaction;
  if (channelId === null) throw new Error('an interaction without a channel');
  const channel = channelOf(interaction);
  const away =
    guildId === null
      ? interaction.context === InteractionContextType.PrivateChannel
      : !membership.isClaimed(interaction);
  return {
    member: { id: interaction.user.id, locale: interaction.locale },
    guildId,
    channelId,
    ...(away && { away }),
    parentId: channel.parentId,
    applicationId,
    attachmentLimit: interaction.attachmentSizeLimit || MESSAGE_LIMITS.attachment,
    interaction: {
      id: interaction.id,
      token: interaction.token,
      createdAt: interaction.createdTimestamp,
    },
    roles: rolesOf(interaction),
    botIsMember: () => membership.isConfirmed(interaction),
    isAgeRestricted: () => ageRestriction.isRestricted(channel, { seen: guildId !== null && !away }),
  };
}

/** discord.js shows a member's roles only where it caches those of the server; what it was sent stands in `_roles`. */
function rolesOf({ member }: BaseInteraction): readonly string[] {
  if (!member) return [];
  if (!(member instanceof GuildMember)) return member.roles;
  const roles: unknown = Reflect.get(member, '_roles');
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
}
