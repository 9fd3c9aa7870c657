import { REST } from 'discord.js';

/** For how long a program waits by itself before Discord takes its next request. */
const WAITS_MS = 5_000;

/**
 * Discord's REST API at `api`, for a program that somebody waits for. Rejects with a `RateLimitError` where Discord asks
 * to wait for long: the library would wait as long, without a word, deaf to any signal, and then try again without an
 * end (discordjs/discord.js#10458).
 */
export const operatorRest = (api: string, { retries }: { retries: number }): REST =>
  new REST({
    api,
    version: '10',
    retries,
    rejectOnRateLimit: ({ retryAfter, sublimitTimeout }) => Math.max(retryAfter, sublimitTimeout) > WAITS_MS,
  });
