import { POLL_INTERVAL_MS, ServiceError } from '@darkroom/image-api';
import { backoffMs } from '@darkroom/time';

/** Tasks that are due this soon after each other share a batch. */
export const BATCH_WINDOW_MS = 200;

/** What the waits between failed calls for a task begin with, and the longest that we choose ourselves. */
export const RETRY_WAITS = {
  firstMs: POLL_INTERVAL_MS.max,
  maxMs: 30_000,
  retryAfterMs: (error: unknown) => (error instanceof ServiceError ? error.retryAfterMs : undefined),
};

/** A task may be unknown for so long after its own submission: services read from replicas that lag. */
const REPLICA_LAG_MS = 10_000;

/** How often a task may call itself completed without an address before that counts as nonsense. */
export const MAX_POLLS_WITHOUT_URL = 3;

/** Milliseconds to the next poll after an answer: 2 to 3 seconds, however early its batch collects it. `random` is in [0, 1). */
export const pollIntervalMs = (random: number): number => {
  const shortest = POLL_INTERVAL_MS.min + BATCH_WINDOW_MS;
  return Math.round(shortest + random * (POLL_INTERVAL_MS.max - shortest));
};

/** Milliseconds to the next poll after the nth failure in a row: what the service asks for, else a backoff. */
export function pollBackoffMs(error: ServiceError, failuresInRow: number, random: number): number {
  const { firstMs, maxMs } = RETRY_WAITS;
  const waitMs =
    error.retryAfterMs ?? backoffMs({ attempt: failuresInRow, random: () => random, firstMs, maxMs });
  return waitMs + BATCH_WINDOW_MS;
}

/** Whether a call for a task that has failed may succeed later. `sinceMs`: since the task was accepted, or completed. */
export const isTransient = (error: unknown, sinceMs: number): error is ServiceError =>
  error instanceof ServiceError &&
  (error.retryable || (error.kind === 'not-found' && sinceMs < REPLICA_LAG_MS));
