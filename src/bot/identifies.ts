import type { Log } from '@darkroom/process';
import { type Clock, DAY_MS, MINUTE_MS, steadyClock, withTimeout } from '@darkroom/time';
import { type IIdentifyThrottler, type REST, Routes } from 'discord.js';
import type { APIGatewayBotInfo, APIGatewaySessionStartLimit } from 'discord-api-types/v10';

/** For how long what Discord has said of them holds: the other processes identify too. */
const HOLDS_MS = MINUTE_MS;

/** How long Discord may take, in real milliseconds: whoever asks is deciding on the shards meanwhile. */
const TIMEOUT_MS = 2_000;

/** How much of a day's identifies is spent at any pace. */
const UNPACED = 1 / 2;

/**
 * How often a bot may still identify within the day, 1,000 times unless it is very large: then Discord ends all its
 * sessions and resets its token. Source: 'Gateway', session start limit.
 */
export type Identifies = ReturnType<typeof createIdentifies>;

export function createIdentifies({
  limit,
  shards,
  rest,
  clock,
  log,
}: {
  /** As Discord has just said. */
  limit: APIGatewaySessionStartLimit;
  /** How many the bot has, of all its processes. */
  shards: () => number;
  rest: REST;
  clock: Clock;
  log: Log;
}) {
  const noted = ({ total, remaining, reset_after }: APIGatewaySessionStartLimit) => ({
    total,
    remaining,
    resetsAt: clock.now() + reset_after,
  });
  let known = noted(limit);
  let heldUntil = clock.now() + HOLDS_MS;
  let areFew = false;
  const steady = steadyClock(clock);
  /** When each shard of this process has identified last on this day, and when before that. */
  const identified = new Map<number, { at: number; before: number | undefined; isTold: boolean }>();

  const isOver = () => clock.now() >= known.resetsAt;

  /** As last read, without those of this process since. */
  const left = () => (isOver() ? known.total : known.remaining);

  /** The day begins with its first identify: until then Discord says that it ends now. */
  function count(shardId: number): void {
    if (isOver()) {
      known = { ...known, remaining: known.total, resetsAt: clock.now() + DAY_MS };
      identified.clear();
    }
    known.remaining -= 1;
    identified.set(shardId, { at: steady.now(), before: identified.get(shardId)?.at, isTold: false });
  }

  const resetsAt = () => new Date(known.resetsAt).toISOString();

  /**
   * Milliseconds until a shard may identify again. Where Discord takes no session, discord.js tries every few seconds,
   * and would spend a whole day's in two hours: those that are left are spread over the rest of the day and over all
   * shards, but for one for each, with which a bot can start once more. A session that ends once is begun anew at once.
   */
  function restMs(shardId: number): number {
    const before = identified.get(shardId)?.before;
    if (before === undefined || left() > UNPACED * known.total) return 0;
    const dayMs = known.resetsAt - clock.now();
    const paceMs = (shards() * dayMs) / Math.max(0, left() - shards());
    return Math.min(before + 2 * paceMs - steady.now(), dayMs);
  }

  async function untilRested(shardId: number, signal: AbortSignal): Promise<void> {
    const last = identified.get(shardId);
    // It asks again where its connection is closed meanwhile.
    if (last && !last.isTold && restMs(shardId) > 0) {
      last.isTold = true;
      log.warn(
        { shard: shardId },
        `a shard waits before it begins another session: the bot may identify only ${left()} times more until ${resetsAt()}`,
      );
    }
    for (let ms = restMs(shardId); ms > 0; ms = restMs(shardId)) await clock.sleep(ms, signal);
  }

  /** Where Discord does not say, what is known counts on. Never rejects. */
  async function keepCurrent(): Promise<void> {
    if (clock.now() < heldUntil) return;
    heldUntil = clock.now() + HOLDS_MS;
    try {
      const answer = await withTimeout(TIMEOUT_MS, (signal) => rest.get(Routes.gatewayBot(), { signal }));
      // Discord's answer, as its types describe it.
      known = noted((answer as APIGatewayBotInfo).session_start_limit);
    } catch {}
  }

  return {
    left,

    counted: (throttler: IIdentifyThrottler): IIdentifyThrottler => ({
      async waitForIdentify(shardId, signal) {
        await untilRested(shardId, signal);
        await throttler.waitForIdentify(shardId, signal);
        count(shardId);
        // Not waited for: the next of its bucket may follow five seconds after this moment.
        void keepCurrent();
      },
    }),

    /** Whether a shard that could stay may change hands, in a bot of so many: all must be able to begin twice more. */
    async allowMove(shardCount: number): Promise<boolean> {
      await keepCurrent();
      const remaining = left();
      const wereFew = areFew;
      areFew = remaining < 2 * shardCount;
      if (areFew && !wereFew)
        log.warn(
          { remaining, resetsAt: resetsAt() },
          `no shard changes hands: the bot may identify only ${remaining} times more until ${resetsAt()}`,
        );
      return !areFew;
    },
  };
}
