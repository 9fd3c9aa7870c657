import type { Clock } from './clock.ts';

/**
 * What all callers know together of whether the other side answers: while it does not, one of them tries now and
 * then.
 */
export interface Breaker {
  /** Whether so much has failed in a row that the other side is taken to be down. */
  isOpen(): boolean;
  /**
   * Whether a call may be made now. While it is open that is a trial, each time that nothing has failed for
   * `trialMs`.
   */
  admit(): boolean;
  /** Milliseconds until the next trial; below 0 where it is overdue. */
  trialInMs(): number;
  succeeded(): void;
  /** `id`: what failed, where the same failing again says nothing new. */
  failed(error: unknown, id?: string): void;
}

/** Opens at `threshold` failures in a row, and closes with the next success. */
export function createBreaker({
  threshold,
  trialMs,
  clock,
  onOpen,
  onClose,
}: {
  threshold: number;
  trialMs: number;
  clock: Pick<Clock, 'now'>;
  /** Gets the failure that was one too many. */
  onOpen(error: unknown): void;
  onClose(): void;
}): Breaker {
  const failing = new Set<string>();
  let failures = 0;
  let trialAt = 0;

  const isOpen = () => failures >= threshold;

  const postponeTrial = () => {
    trialAt = clock.now() + trialMs;
  };

  return {
    isOpen,
    trialInMs: () => trialAt - clock.now(),

    admit() {
      if (!isOpen()) return true;
      if (clock.now() < trialAt) return false;
      postponeTrial();
      return true;
    },

    succeeded() {
      const wasOpen = isOpen();
      failures = 0;
      failing.clear();
      if (wasOpen) onClose();
    },

    failed(error, id) {
      if (id !== undefined && failing.has(id)) return;
      if (id !== undefined) failing.add(id);
      failures += 1;
      postponeTrial();
      if (failures === threshold) onOpen(error);
    },
  };
}
