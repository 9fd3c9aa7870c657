import { refdClock, retry, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { isRefused } from '../operator/discord-problem.ts';

const TIMEOUT_MS = 15_000;
/** Discord allows far more; an invitation takes people longer. */
const LOOK_MS = 2_000;

const application = z.object({ id: z.string(), name: z.string() });
const guilds = z.array(z.object({ id: z.string(), name: z.string() }));

type Guild = z.infer<typeof guilds>[number];

const read = (rest: REST, route: `/${string}`, signal: AbortSignal): Promise<unknown> =>
  withTimeout(TIMEOUT_MS, (bounded) => rest.get(route, { signal: bounded }), { signal });

/** Whose token `rest` has. Rejects as discord.js does. */
export const applicationAt = async (rest: REST, signal: AbortSignal) =>
  application.parse(await read(rest, Routes.currentApplication(), signal));

/** Some of the servers that the bot is in. Rejects as discord.js does. */
export const guildsOf = async (rest: REST, signal: AbortSignal): Promise<Guild[]> =>
  guilds.parse(await read(rest, Routes.userGuilds(), signal));

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
