import { type RetryPolicy, refdClock, retry, withTimeout } from '@darkroom/time';
import { classifyDiscordError, retryTemporary } from '../delivery/classify-discord-error.ts';
import type { Metrics } from '../observability/metrics.ts';

/** For one attempt, in real milliseconds: with the waits between, all of them fit into Discord's three seconds. */
const ATTEMPT_MS = 800;

const POLICY: RetryPolicy = {
  maxAttempts: 3,
  firstMs: 160,
  maxMs: 320,
  isRetryable: retryTemporary.isRetryable,
};

/** By then, in real milliseconds, another process that answered has replaced its loading message. */
const LOADING_REPLACED_MS = 1_000;

type IsOurs = () => Promise<boolean | undefined>;

/**
 * Gives the first answer of one interaction; made when that arrives. Resolves with what `send` resolves with, or
 * undefined if an earlier attempt arrived after all: one that nobody answered may have. Retried where Discord or the
 * network failed. `isOurs`: whether the existing answer can be from that attempt, not from another process; undefined
 * where Discord cannot be asked. Rejects as `send` does.
 */
export function createFirstAnswer({ metrics }: { metrics: Pick<Metrics, 'firstAnswer'> }) {
  const arrivedAt = performance.now();
  let mayHaveArrived = false;

  async function hasArrived(error: unknown, isOurs: IsOurs): Promise<boolean> {
    if (!mayHaveArrived) return false;
    const { kind } = classifyDiscordError(error);
    if (kind === 'acknowledged-here') return true;
    if (kind !== 'acknowledged') return false;
    await refdClock.sleep(LOADING_REPLACED_MS);
    // It is there: if Discord cannot be asked now, assume that it is ours.
    return (await isOurs()) ?? true;
  }

  /** After the last attempt: Discord may be slow, and have taken one that was given up. */
  async function hasArrivedLate(isOurs: IsOurs): Promise<boolean> {
    if (!mayHaveArrived) return false;
    await refdClock.sleep(LOADING_REPLACED_MS);
    return (await isOurs()) ?? false;
  }

  return async function give<Result>(
    send: () => Promise<Result>,
    isOurs: IsOurs,
  ): Promise<Result | undefined> {
    const attempt = async () => {
      try {
        return await withTimeout(ATTEMPT_MS, send);
      } catch (error) {
        if (await hasArrived(error, isOurs)) return undefined;
        const failure = classifyDiscordError(error);
        if (failure.kind === 'temporary') mayHaveArrived ||= failure.mayHaveArrived;
        throw error;
      }
    };
    const given = await retry(attempt, { policy: POLICY, clock: refdClock }).catch(async (error: unknown) => {
      if (await hasArrivedLate(isOurs)) return undefined;
      throw error;
    });
    metrics.firstAnswer(performance.now() - arrivedAt);
    return given;
  };
}
