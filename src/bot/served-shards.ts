import type { Log } from '@darkroom/process';
import { type Clock, MINUTE_MS, raceAbort, retry, withTimeout } from '@darkroom/time';
import { type Client, Events, GatewayCloseCodes, Status } from 'discord.js';
import type { Shard } from '../jobs/shard.ts';
import type { Tracker } from '../jobs/tracker.ts';
import type { ShardWork } from '../shards/shard-work.ts';
import { createShardClient } from './discord.ts';
import { keepChannels } from './interaction-channel.ts';
import { logIn, whyClosed, whyRefused } from './log-in.ts';
import type { Router } from './router.ts';

/** How long handlers may take to end, and a connection to close, once a shard is given up. Real milliseconds. */
const ENDING_MS = 2_000;

/**
 * How long a shard with too many servers is left before it identifies again: even where all are too full, the bot does
 * so 384 of its 1,000 times a day.
 */
const overfullMs = (count: number) => 15 * MINUTE_MS * Math.max(1, count / 4);

/** The jobs and a client of discord.js, for each shard that is this process's. */
export interface ServedShards extends ShardWork {
  /** How many there are, and how many of them are connected. */
  readings(): { served: number; connected: number };
}

/** A shard that is connected here, or is about to be. */
interface Served {
  shard: Shard;
  /** Aborts when its jobs are no longer this process's; the connection may stay. */
  lost: AbortController;
  /** Resolves when nothing runs on of the jobs that were lost before, however often. */
  released: Promise<unknown>;
  /** Whether requests are taken: its jobs are this process's, and have been taken up. */
  isOpen: boolean;
  /** Aborts when the shard is given up. */
  ended: AbortController;
  client?: Client | undefined;
  /** Once it has begun to connect: that goes on while its jobs are lost. Resolves also where it is given up. */
  connected?: Promise<void>;
}

export function createServedShards({
  token,
  tracker,
  router,
  clock,
  log,
  onOverfull,
  onShutOut,
  ...clientOptions
}: Omit<Parameters<typeof createShardClient>[0], 'shard'> & {
  token: string;
  tracker: Pick<Tracker, 'follow' | 'resume' | 'release'>;
  router: Router;
  clock: Clock;
  log: Log;
  /** Discord refuses a shard for its servers. It is held without a connection, and tried again. */
  onOverfull(shard: Shard): void;
  /** Discord does not let a shard in, or no longer. `why`: for the operator, with what to do. */
  onShutOut(why: string): void;
}): ServedShards {
  const served = new Map<string, Served>();
  const keyOf = ({ id, count }: Shard) => `${id} of ${count}`;

  async function takeUp(entry: Served, lost: AbortSignal): Promise<void> {
    const { shard } = entry;
    await entry.released;
    lost.throwIfAborted();
    tracker.follow(shard);
    const resumed = await retry(() => tracker.resume(shard), {
      policy: {},
      clock,
      signal: lost,
      onRetry: (error) => log.error({ err: error, shard: shard.id }, 'unfinished jobs could not be listed'),
    });
    lost.throwIfAborted();
    entry.isOpen = true;
    if (resumed > 0) log.info({ jobs: resumed, shard: shard.id }, 'took up unfinished jobs');
  }

  async function connect(entry: Served): Promise<void> {
    const { id: shard } = entry.shard;
    const client = createShardClient({ ...clientOptions, shard: entry.shard });
    entry.client = client;
    keepChannels(client);
    // discord.js ends the process where an `error` has no listener.
    client.on(Events.Error, (error) => log.error({ err: error, shard }, 'discord.js reports an error'));
    // In an outage two connections a second fail: the first is told.
    let isBroken = false;
    client.on(Events.ShardError, (error) => {
      log[isBroken ? 'debug' : 'warn']({ err: error, shard }, 'a connection to Discord broke');
      isBroken = true;
    });
    const connected = () => {
      isBroken = false;
    };
    client.on(Events.ShardReady, connected).on(Events.ShardResume, connected);
    client.on(Events.Warn, (warning) => log.warn({ warning, shard }, 'discord.js warns'));
    client.on(
      Events.InteractionCreate,
      (interaction) => void (entry.isOpen ? router.route(interaction) : router.refuse(interaction)),
    );
    // Only after a close code on which discord.js does not connect again. Who is still logging in hears nothing of it.
    const closed = new Promise<void>((resolve) => {
      client.once(Events.ShardDisconnect, ({ code }) => {
        closeForGood(entry, client, code);
        resolve();
      });
    });
    try {
      await raceAbort(entry.ended.signal, Promise.race([logIn(client, token), closed]));
    } catch (error) {
      entry.client = undefined;
      void client.destroy();
      throw error;
    }
  }

  /** Resolves when it is connected, or given up. Never rejects. */
  async function keepConnecting(entry: Served): Promise<void> {
    try {
      await retry(() => connect(entry), {
        policy: { isRetryable: (error) => whyRefused(error) === undefined },
        clock,
        signal: entry.ended.signal,
        onRetry: (error) => log.warn({ err: error, shard: entry.shard.id }, 'a shard could not connect yet'),
      });
    } catch (error) {
      const why = whyRefused(error);
      if (why !== undefined) onShutOut(why);
    }
  }

  /** A shard that has too many servers takes no other with it. */
  function closeForGood(entry: Served, client: Client, code: number): void {
    const { shard, ended } = entry;
    if (code !== GatewayCloseCodes.ShardingRequired) {
      onShutOut(whyClosed(code));
      return;
    }
    entry.client = undefined;
    void client.destroy();
    onOverfull(shard);
    clock.sleep(overfullMs(shard.count), ended.signal).then(
      () => keepConnecting(entry),
      () => undefined,
    );
  }

  function lose(entry: Served): void {
    entry.lost.abort();
    entry.isOpen = false;
    entry.released = Promise.all([entry.released, tracker.release(entry.shard)]);
  }

  const inTime = (work: Promise<unknown> | undefined) =>
    withTimeout(ENDING_MS, async () => work).catch(() => undefined);

  return {
    readings() {
      const shards = [...served.values()].map(({ client }) => client?.ws.shards.first());
      // A client calls itself ready also while its shard connects anew.
      const connected = shards.filter((shard) => shard?.status === Status.Ready);
      return { served: shards.length, connected: connected.length };
    },

    connected: () => [...served.values()].map(({ shard }) => shard),

    async begin(shard) {
      const lost = new AbortController();
      const entry: Served = served.get(keyOf(shard)) ?? {
        shard,
        lost,
        released: Promise.resolve(),
        isOpen: false,
        ended: new AbortController(),
      };
      entry.lost = lost;
      served.set(keyOf(shard), entry);
      try {
        await takeUp(entry, lost.signal);
      } catch {
        return;
      }
      entry.connected ??= keepConnecting(entry);
      await entry.connected;
    },

    async end(shard) {
      const entry = served.get(keyOf(shard));
      if (!entry) return;
      served.delete(keyOf(shard));
      entry.ended.abort();
      await inTime(entry.client?.destroy());
      await inTime(router.idle());
      lose(entry);
      await entry.released;
    },

    suspend() {
      for (const entry of served.values()) lose(entry);
    },
  };
}
