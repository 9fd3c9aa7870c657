import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';

/** How long Discord is asked before an answer has to do without, in real milliseconds. */
const TIMEOUT_MS = 1_200;

const named = z.array(z.object({ id: z.string() }));

/** What a server has, by the ids of its channels and roles. */
export interface GuildPlaces {
  channels: ReadonlySet<string>;
  roles: ReadonlySet<string>;
}

/** Asks Discord what a server has: nothing of it is cached. */
export interface GuildDirectory {
  /** Undefined where Discord does not say, because the bot is not in that server or in time. Never rejects. */
  placesOf(guildId: string): Promise<GuildPlaces | undefined>;
}

export function createGuildDirectory({ rest, log }: { rest: REST; log: Log }): GuildDirectory {
  const idsAt = (route: `/${string}`) =>
    withTimeout(TIMEOUT_MS, async (signal) => {
      const listed = named.parse(await rest.get(route, { signal }));
      return new Set(listed.map(({ id }) => id));
    });

  return {
    async placesOf(guildId) {
      try {
        const [channels, roles] = await Promise.all([
          idsAt(Routes.guildChannels(guildId)),
          idsAt(Routes.guildRoles(guildId)),
        ]);
        return { channels, roles };
      } catch (error) {
        log.info({ err: error, guild: guildId }, 'Discord did not list the channels and roles of a server');
        return undefined;
      }
    },
  };
}
