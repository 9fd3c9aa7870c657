import type { Log } from '@darkroom/process';
import { type Clock, createCache, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { InteractionChannel } from './interaction-channel.ts';

/** For how long an answer of Discord holds. */
const HOLDS_MS = 60_000;

/** How long Discord may take, in real milliseconds: it waits itself for the first answer, three seconds. */
const TIMEOUT_MS = 1_000;

/** Answers that are kept at most. */
const MOST = 1_000;

const channel = z.object({ nsfw: z.boolean().optional() });

/** Whether a channel is for adults only, as Discord has it. A thread is as the channel that it belongs to. */
export interface AgeRestriction {
  /** Not restricted where nobody says: what is flagged is hidden there. Never rejects. `seen`: whether the bot sees the channel. */
  isRestricted(where: InteractionChannel, options: { seen: boolean }): Promise<boolean>;
}

export function createAgeRestriction({
  rest,
  clock,
  log,
}: {
  rest: REST;
  clock: Clock;
  log: Log;
}): AgeRestriction {
  const answers = createCache<string, Promise<boolean>>({ max: MOST, ttlMs: HOLDS_MS, clock });

  async function ask(channelId: string): Promise<boolean> {
    try {
      const read = await withTimeout(TIMEOUT_MS, (signal) => rest.get(Routes.channel(channelId), { signal }));
      return channel.parse(read).nsfw ?? false;
    } catch (error) {
      log.info(
        { err: error, channel: channelId },
        'Discord does not say whether a channel is age-restricted',
      );
      return false;
    }
  }

  return {
    async isRestricted({ ageRestricted, parentId }, { seen }) {
      if (ageRestricted || parentId === undefined || !seen) return ageRestricted ?? false;
      return answers.recall(parentId, () => ask(parentId));
    },
  };
}
