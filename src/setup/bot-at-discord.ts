import { refdClock, retry, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { isRefused } from '../operator/discord-problem.ts';

const TIMEOUT_MS = 15_000;
/** Discord allows far more; an invitation takes people longer. */
const LOOK_MS = 2_000;

const application = z.object({ id: z.string(), name: z.string() });
const guilds = z.array(z.object({ id: z.string(), name: z.string() }));

export type Guild = z.infer<typeof guilds>[number];

/** Whose token `rest` has. Rejects as discord.js does. */
export const applicationAt = (rest: REST, signal: AbortSignal): Promise<z.infer<typeof application>> =>
  withTimeout(
    TIMEOUT_MS,
    async (bounded) => application.parse(await rest.get(Routes.currentApplication(), { signal: bounded })),
    { signal },
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

/** The bot is in no server yet. */
export class InNoGuild extends Error {
  override readonly name = 'InNoGuild';
}

/** Waits until the bot is in a server, also while Discord is away. Rejects as the last look did after `withinMs`. */
export async function awaitGuild(
  rest: REST,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<Guild> {
  const look = async () => {
    const [guild] = await guildsOf(rest, signal);
    if (guild !== undefined) return guild;
    throw new InNoGuild();
  };
  const isRetryable = (error: unknown) => !signal.aborted && !isRefused(error);
  const policy = { budgetMs: withinMs, firstMs: LOOK_MS, maxMs: LOOK_MS, isRetryable };
  return retry(look, { policy, clock: refdClock, signal });
}
