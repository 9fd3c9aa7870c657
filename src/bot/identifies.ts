import type { Log } from '@darkroom/process';
import { type Clock, DAY_MS, MINUTE_MS, withTimeout } from '@darkroom/time';
import { type IIdentifyThrottler, type REST, Routes } from 'discord.js';
import type { APIGatewayBotInfo, APIGatewaySessionStartLimit } from 'discord-api-types/v10';

/** For how long what Discord has said of them holds: the other processes identify too. */
const HOLDS_MS = MINUTE_MS;

/** How long Discord may take, in real milliseconds: whoever asks is deciding on the shards meanwhile. */
const TIMEOUT_MS = 2_000;

/**
 * How often a bot may still identify within the day, 1,000 times unless it is very large: then Discord ends all its
 * sessions and resets its token. Source: 'Gateway', session start limit.
 */
export type Identifies = ReturnType<typeof createIdentifies>;

export function createIdentifies({
  limit,
  rest,
  clock,
  log,
}: {
  /** As Discord has just said. */
  limit: APIGatewaySessionStartLimit;
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

  const isOver = () => clock.now() >= known.resetsAt;

  /** As last read, without those of this process since. */
  const left = () => (isOver() ? known.total : known.remaining);

  /** The day begins with its first identify: until then Discord says that it ends now. */
  function count(): void {
    if (isOver()) known = { ...known, remaining: known.total, resetsAt: clock.now() + DAY_MS };
    known.remaining -= 1;
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
        await throttler.waitForIdentify(shardId, signal);
        count();
        // Not waited for: the next of its bucket may follow five seconds after this moment.
        void keepCurrent();
      },
    }),

    /** Whether a shard that could stay may change hands, in a bot of so many: all must be able to begin twice more. */
    async allowMove(shards: number): Promise<boolean> {
      await keepCurrent();
      const remaining = left();
      const wereFew = areFew;
      areFew = remaining < 2 * shards;
      if (areFew && !wereFew) {
        const resetsAt = new Date(known.resetsAt).toISOString();
        log.warn(
          { remaining, resetsAt },
          `no shard changes hands: the bot may identify only ${remaining} times more until ${resetsAt}`,
        );
      }
      return !areFew;
    },
  };
}
