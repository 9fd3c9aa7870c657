import { type BaseInteraction, GuildMember } from 'discord.js';
import type { Caller } from '../jobs/job-request.ts';
import { MESSAGE_LIMITS } from '../messages/message.ts';
import type { Membership } from './membership.ts';
import { parentOf } from './thread-parents.ts';

/** Who made `interaction`, from where: raw fields only, because nothing is cached. */
export function callerOf(interaction: BaseInteraction, membership: Membership): Caller {
  const { guildId, channelId, applicationId } = interaction;
  if (channelId === null) throw new Error('an interaction without a channel');
  return {
    member: { id: interaction.user.id, locale: interaction.locale },
    guildId,
    channelId,
    parentId: parentOf(interaction),
    applicationId,
    attachmentLimit: interaction.attachmentSizeLimit || MESSAGE_LIMITS.attachment,
    interaction: {
      id: interaction.id,
      token: interaction.token,
      createdAt: interaction.createdTimestamp,
    },
    roles: rolesOf(interaction),
    botIsMember: () => membership.isConfirmed(interaction),
  };
}

/** discord.js shows a member's roles only where it caches those of the server; what it was sent stands in `_roles`. */
function rolesOf({ member }: BaseInteraction): readonly string[] {
  if (!member) return [];
  if (!(member instanceof GuildMember)) return member.roles;
  const roles: unknown = Reflect.get(member, '_roles');
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
}
