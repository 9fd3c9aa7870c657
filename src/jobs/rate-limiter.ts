import Bottleneck from 'bottleneck';

/** What goes first when a guild has more to do than its rate limit allows. Lower is sooner (Bottleneck's 0 to 9). */
const PRIORITY = { download: 1, submit: 3, poll: 5 } as const;

/** How many calls of one guild are under way at once. */
const CONCURRENT = 10;

/** A batch that needs every slot would wait for the slowest call there is; beside half of them there is room for others. */
const MAX_BATCH = CONCURRENT / 2;

/** A guild's calls to the image service, slowed to its own limit: a busy guild slows itself and nobody else. */
export interface RateLimiter {
  /** How many polls one batch may hold: a limiter rejects what weighs more than its capacity. */
  readonly maxBatch: number;
  /**
   * Runs `call` when `key` (a guild, or a member in direct messages) has room for `weight` calls. Rejects as `call`
   * does, or with the signal's reason as soon as it aborts before the turn has come.
   */
  run<Result>(
    key: string,
    kind: keyof typeof PRIORITY,
    call: () => Promise<Result>,
    options?: { weight?: number; signal?: AbortSignal },
  ): Promise<Result>;
  /** Calls that wait are dropped; calls under way end by their own signals. */
  close(): Promise<void>;
}

export function createRateLimiter({ callsPerSecond }: { callsPerSecond: number }): RateLimiter {
  const guilds = new Bottleneck.Group({
    maxConcurrent: CONCURRENT,
    reservoir: callsPerSecond,
    reservoirRefreshAmount: callsPerSecond,
    reservoirRefreshInterval: 1_000,
  });

  return {
    maxBatch: Math.min(MAX_BATCH, callsPerSecond),
    async run(key, kind, call, { weight = 1, signal } = {}) {
      signal?.throwIfAborted();
      const begun = new AbortController();
      // No `expiration`: Bottleneck would free the slot while the call runs on. Time bounds are the calls' own.
      const turn = guilds.key(key).schedule({ priority: PRIORITY[kind], weight }, async () => {
        begun.abort();
        signal?.throwIfAborted();
        return call();
      });
      if (!signal) return turn;
      const aborted = new Promise<never>((_, reject) => {
        const options = { once: true, signal: begun.signal };
        signal.addEventListener('abort', () => reject(signal.reason), options);
      });
      return Promise.race([turn, aborted]);
    },
    async close() {
      await Promise.all(
        guilds.limiters().map(async ({ limiter }) => {
          await limiter.stop({ dropWaitingJobs: true });
          await limiter.disconnect(false);
        }),
      );
    },
  };
}
