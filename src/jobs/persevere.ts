import type { Clock } from '../clock.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

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
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      onFailure(error);
    }
    if (!isPatient()) return undefined;
    await clock.sleep(((1 + random()) * wait) / 2, signal).catch(() => undefined);
    signal.throwIfAborted();
  }
}
