import type { Log } from '@darkroom/process';
import { type Clock, createCache, withTimeout } from '@darkroom/time';
import { ApplicationIntegrationType, type BaseInteraction, type REST, Routes } from 'discord.js';
import type { RESTGetAPICurrentUserGuildsResult } from 'discord-api-types/v10';

/** For how long an answer of Discord holds. */
const HOLDS_MS = 60_000;

/** How long Discord may take, in real milliseconds: it waits itself for the first answer, three seconds. */
const TIMEOUT_MS = 1_000;

/** Answers that are kept at most. */
const MOST = 1_000;

type Asked = Pick<BaseInteraction, 'guildId' | 'authorizingIntegrationOwners' | 'isCommand'>;

/** Whether interactions come from a server of which the bot itself is a member, not only an app of one of its users. */
export interface Membership {
  /** By the interaction alone. A button keeps saying what held when its message was made. */
  isClaimed(interaction: Asked): boolean;
  /** The same, and for anything but a command Discord is asked as well. Where it does not say, what is claimed holds. Never rejects. */
  isConfirmed(interaction: Asked): Promise<boolean>;
}

export function createMembership({ rest, clock, log }: { rest: REST; clock: Clock; log: Log }): Membership {
  const answers = createCache<string, Promise<boolean>>({ max: MOST, ttlMs: HOLDS_MS, clock });

  const isClaimed: Membership['isClaimed'] = ({ guildId, authorizingIntegrationOwners: owners }) =>
    guildId !== null && owners[ApplicationIntegrationType.GuildInstall] === guildId;

  /** A page of one, which begins at the server itself. Of a server that the bot is not in Discord would make an invalid request. */
  async function ask(guildId: string): Promise<boolean> {
    const query = new URLSearchParams({ after: `${BigInt(guildId) - 1n}`, limit: '1' });
    try {
      const page = await withTimeout(TIMEOUT_MS, (signal) =>
        rest.get(Routes.userGuilds(), { query, signal }),
      );
      // As its types describe Discord's answer.
      const [first] = page as RESTGetAPICurrentUserGuildsResult;
      return first?.id === guildId;
    } catch (error) {
      log.warn({ err: error, guild: guildId }, 'Discord does not say whether the bot is in a server');
      answers.delete(guildId);
      return true;
    }
  }

  return {
    isClaimed,

    async isConfirmed(interaction) {
      const { guildId } = interaction;
      if (guildId === null || !isClaimed(interaction)) return false;
      if (interaction.isCommand()) return true;
      return answers.recall(guildId, () => ask(guildId));
    },
  };
}
