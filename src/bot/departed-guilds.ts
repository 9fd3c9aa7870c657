import type { Log } from '@darkroom/process';
import { type Clock, repeat, retry, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { classifyDiscordError, retryTemporary } from '../delivery/classify-discord-error.ts';
import type { Store } from '../storage/store.ts';

/** How often Discord is asked in which servers the bot is, by one process of all. */
const EVERY_MS = 15 * 60_000;

/**
 * How long a server is missing before Discord is asked for it alone: one answer may be wrong, and erased is erased.
 */
const MISSING_MS = 10 * 60_000;

/** The most servers that Discord lists at once: its documentation, "Get Current User Guilds". */
const PAGE = 200;

/** For one answer, and for all attempts at it, in real milliseconds. */
const TIMEOUT_MS = 15_000;
const GIVE_UP_MS = 2 * 60_000;

const guilds = z.array(z.object({ id: z.string() }));

/**
 * Forgets what is kept of servers that the bot was removed from: there are no intents to tell it. At once, and again
 * every quarter of an hour, until `signal` aborts. Never rejects.
 */
export function watchDepartures({
  rest,
  store,
  known,
  purge,
  clock,
  log,
  signal,
}: {
  rest: REST;
  store: Store;
  /** The servers of which something is kept that is not to outlive the bot's membership. */
  known(): Promise<readonly string[]>;
  purge(guildId: string): Promise<void>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): Promise<void> {
  const missing = store.collection('missing-guilds', z.object({ since: z.number() }));

  function read(route: `/${string}`, query?: URLSearchParams): Promise<unknown> {
    const ask = (within: AbortSignal) => rest.get(route, { signal: within, ...(query && { query }) });
    const attempt = () => withTimeout(TIMEOUT_MS, ask, { signal });
    return retry(attempt, { policy: { budgetMs: GIVE_UP_MS, ...retryTemporary }, clock, signal });
  }

  /**
   * The servers of the bot. Rejects rather than leave a page out: only an empty one is the last, as others follow one
   * that is not full (discord/discord-api-docs#5886).
   */
  async function readAll(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let after = '0'; ; ) {
      const query = new URLSearchParams({ after, limit: `${PAGE}` });
      const page = guilds.parse(await read(Routes.userGuilds(), query));
      for (const { id } of page) found.add(id);
      const last = page.at(-1);
      if (!last) return found;
      after = last.id;
    }
  }

  /**
   * Whether Discord denies that the bot is in a server, asked for its channels: of the server itself it may say that to
   * a bot that is in it (discord/discord-api-docs#8445). Rejects where Discord cannot be asked now.
   */
  const isDenied = (guildId: string): Promise<boolean> =>
    read(Routes.guildChannels(guildId)).then(
      () => false,
      (error: unknown) => {
        const { kind } = classifyDiscordError(error);
        if (kind === 'temporary') throw error;
        return kind === 'channel-forbidden';
      },
    );

  async function look(): Promise<void> {
    const round = `departures:${Math.floor(clock.now() / EVERY_MS)}`;
    if ((await store.take([{ key: round, amount: 1, limit: 1, ttl: 2 * EVERY_MS }])).state !== 'taken')
      return;
    // Read before: a server that is added meanwhile is not among them.
    const ids = await known();
    const noted = await missing.list();
    if (ids.length === 0 && noted.length === 0) return;
    const present = await readAll();
    for (const { id } of noted) if (present.has(id)) await missing.delete(id);
    const since = new Map(noted.map(({ id, value }) => [id, value.since]));
    for (const id of new Set([...ids, ...since.keys()])) {
      if (present.has(id)) continue;
      const missingSince = since.get(id);
      if (missingSince === undefined) await missing.set(id, { since: clock.now() });
      else if (clock.now() >= missingSince + MISSING_MS) {
        if (await isDenied(id)) {
          await purge(id);
          log.info({ guild: id }, 'the bot is no longer in a server: what was kept of it is erased');
        }
        await missing.delete(id);
      }
    }
  }

  return repeat(look, {
    everyMs: EVERY_MS,
    clock,
    signal,
    onError: (error) => log.warn({ err: error }, 'servers that were left could not be looked for'),
  });
}
