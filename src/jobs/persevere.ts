import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';

/**
 * Repeats `attempt` with growing waits until it succeeds. Undefined where it fails once more when `isPatient` says no.
 * Rejects with the reason of `signal`, never before the first attempt.
 */
export async function persevere<Result>(
  attempt: () => Promise<Result>,
  {
    signal,
    clock,
    random,
    isPatient = () => true,
    onFailure,
  }: {
    signal: AbortSignal;
    clock: Clock;
    /** In [0, 1): the jitter of waits. */
    random: () => number;
    isPatient?: () => boolean;
    onFailure: (error: unknown) => void;
  },
): Promise<Result | undefined> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      onFailure(error);
    }
    if (!isPatient()) return undefined;
    await clock.sleep(backoffMs({ attempt: count, random }), signal).catch(() => undefined);
    signal.throwIfAborted();
  }
}
