import type { Clock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

/**
 * What all callers know together of whether the other side answers: while it does not, one of them tries now and
 * then. Opens at `threshold` failures in a row, and closes with the next success.
 */
export function createBreaker({
  threshold,
  trialMs,
  clock: machineClock,
  isDown,
  onOpen,
  onClose,
}: {
  threshold: number;
  trialMs: number;
  clock: Pick<Clock, 'now'>;
  /** Whether this failure is of a side that does not answer; undefined where it tells nothing of that. */
  isDown(error: unknown): boolean | undefined;
  /** Gets the failure that was one too many. */
  onOpen(error: unknown): void;
  onClose(): void;
}) {
  const clock = steadyClock(machineClock);
  const failing = new Set<string>();
  let failures = 0;
  let trialAt = 0;

  const isOpen = () => failures >= threshold;

  const postponeTrial = () => {
    trialAt = clock.now() + trialMs;
  };

  function succeeded(): void {
    const wasOpen = isOpen();
    failures = 0;
    failing.clear();
    if (wasOpen) onClose();
  }

  function fail(error: unknown, id: string | undefined): void {
    if (id !== undefined && failing.has(id)) return;
    if (id !== undefined) failing.add(id);
    failures += 1;
    postponeTrial();
    if (failures === threshold) onOpen(error);
  }

  return {
    /** Whether so much has failed in a row that the other side is taken to be down. */
    isOpen,

    /** Milliseconds until the next trial; below 0 where it is overdue. */
    trialInMs: () => trialAt - clock.now(),

    /**
     * Whether a call may be made now. While it is open that is a trial, each time that nothing has failed for
     * `trialMs`.
     */
    admit(): boolean {
      if (!isOpen()) return true;
      if (clock.now() < trialAt) return false;
      postponeTrial();
      return true;
    },

    /**
     * What `call` comes to, which shows whether the other side answers, unless `signal` has ended it. `id`: what is
     * called, where the same failing again says nothing new.
     */
    async observe<Result>(
      call: Promise<Result>,
      { id, signal }: { id?: string; signal?: AbortSignal | undefined } = {},
    ): Promise<Result> {
      try {
        const result = await call;
        succeeded();
        return result;
      } catch (error) {
        const failed = signal?.aborted ? undefined : isDown(error);
        if (failed) fail(error, id);
        else if (failed === false) succeeded();
        throw error;
      }
    },
  };
}
