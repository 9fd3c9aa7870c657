import { OperatorError } from '@darkroom/process';
import { refdClock, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';

const TIMEOUT_MS = 15_000;
/** Discord allows far more; an invitation takes people longer. */
const LOOK_MS = 2_000;

const application = z.object({ id: z.string(), name: z.string() });
const guilds = z.array(z.object({ id: z.string(), name: z.string() }));

export type Guild = z.infer<typeof guilds>[number];

/** Whose token `rest` has. Rejects as discord.js does. */
export const applicationAt = (rest: REST): Promise<z.infer<typeof application>> =>
  withTimeout(TIMEOUT_MS, async (signal) =>
    application.parse(await rest.get(Routes.currentApplication(), { signal })),
  );

/** Some of the servers that the bot is in. Rejects as discord.js does. */
export const guildsOf = (rest: REST, signal: AbortSignal): Promise<Guild[]> =>
  withTimeout(
    TIMEOUT_MS,
    async (bounded) => guilds.parse(await rest.get(Routes.userGuilds(), { signal: bounded })),
    {
      signal,
    },
  );

/** Waits until the bot is in a server. Rejects with an `OperatorError` after `withinMs`. */
export async function awaitGuild(
  rest: REST,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<Guild> {
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const [guild] = await guildsOf(rest, signal);
    if (guild !== undefined) return guild;
    await refdClock.sleep(LOOK_MS, signal);
  }
  throw new OperatorError(`in no server within ${withinMs / 60_000} minutes`);
}
