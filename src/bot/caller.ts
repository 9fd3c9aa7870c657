import type { Log } from '@darkroom/process';
import { type Clock, createCache, withTimeout } from '@darkroom/time';
import {
  ApplicationIntegrationType,
  type BaseInteraction,
  GuildMember,
  InteractionContextType,
  type REST,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Caller } from '../jobs/job-request.ts';
import { MESSAGE_LIMITS } from '../messages/message.ts';
import { channelOf } from './interaction-channel.ts';

/** For how long an answer of Discord holds, and how many are kept at most. */
const HOLDS_MS = 60_000;
const MOST = 1_000;

/** How long Discord may take, in real milliseconds: it waits itself for the first answer, three seconds. */
const TIMEOUT_MS = 1_000;

const guilds = z.array(z.object({ id: z.string() }));
const channel = z.object({ nsfw: z.boolean().optional() });

/**
 * Who made an interaction, from where: raw fields only, because nothing is cached. What they do not say Discord is
 * asked, once somebody wants to know it.
 */
export function createCallers({ rest, clock, log }: { rest: REST; clock: Clock; log: Log }) {
  const answers = createCache<string, Promise<boolean>>({ max: MOST, ttlMs: HOLDS_MS, clock });

  const read = (route: `/${string}`, query?: URLSearchParams) =>
    withTimeout(TIMEOUT_MS, (signal) => rest.get(route, { signal, ...(query && { query }) }));

  /** Whether `what` is so, as Discord says; `otherwise` where it does not say, and then it is asked again. */
  const isSo = (what: string, ask: () => Promise<boolean>, otherwise: boolean): Promise<boolean> =>
    answers.recall(what, () =>
      ask().catch((error: unknown) => {
        log.warn({ err: error }, `Discord does not say whether ${what}`);
        answers.delete(what);
        return otherwise;
      }),
    );

  /**
   * By a list of one that begins at the server: asking for a server that the bot is not in counts as an invalid
   * request.
   */
  async function isMemberOf(guildId: string): Promise<boolean> {
    const query = new URLSearchParams({ after: `${BigInt(guildId) - 1n}`, limit: '1' });
    const [first] = guilds.parse(await read(Routes.userGuilds(), query));
    return first?.id === guildId;
  }

  const isRestricted = async (channelId: string): Promise<boolean> =>
    channel.parse(await read(Routes.channel(channelId))).nsfw ?? false;

  return function callerOf(interaction: BaseInteraction): Caller {
    const { guildId, channelId, applicationId, authorizingIntegrationOwners: owners } = interaction;
    if (channelId === null) throw new Error('an interaction without a channel');
    const { parentId, ageRestricted } = channelOf(interaction);
    // By the interaction alone: a button keeps saying what held when its message was made.
    const isInstalled = guildId !== null && owners[ApplicationIntegrationType.GuildInstall] === guildId;
    const away =
      guildId === null ? interaction.context === InteractionContextType.PrivateChannel : !isInstalled;
    const botIsMember = async () =>
      isInstalled && isSo(`the bot is in server ${guildId}`, () => isMemberOf(guildId), true);
    return {
      member: { id: interaction.user.id, locale: interaction.locale },
      guildId,
      channelId,
      ...(away && { away }),
      parentId,
      applicationId,
      attachmentLimit: interaction.attachmentSizeLimit || MESSAGE_LIMITS.attachment,
      interaction: {
        id: interaction.id,
        token: interaction.token,
        createdAt: interaction.createdTimestamp,
        aheadMs: clock.now() - interaction.createdTimestamp,
      },
      roles: rolesOf(interaction),

      botIsMember,
      // A command is taken at its word: its first answer waits for who pays.
      serverHasApp: async () => (isInstalled && interaction.isCommand()) || botIsMember(),

      async isAgeRestricted() {
        const isThreadSeen = parentId !== undefined && guildId !== null && !away;
        if (ageRestricted || !isThreadSeen) return ageRestricted ?? false;
        // A thread is as the channel that it belongs to.
        return isSo(`channel ${parentId} is age-restricted`, () => isRestricted(parentId), false);
      },
    };
  };
}

/** Everybody has `@everyone`, whose id is the server's, and which Discord lists for nobody. */
const rolesOf = ({ guildId, member }: BaseInteraction): readonly string[] =>
  guildId === null || !member ? [] : [guildId, ...listedRoles(member)];

/** discord.js shows the roles of a member only where it caches the server's; what it was sent is in `_roles`. */
function listedRoles(member: NonNullable<BaseInteraction['member']>): readonly string[] {
  if (!(member instanceof GuildMember)) return member.roles;
  const roles: unknown = Reflect.get(member, '_roles');
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
}
