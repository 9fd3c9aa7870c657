import { POLL_INTERVAL_MS } from '../contract/limits.ts';
import { ServiceError } from '../errors.ts';

/** Tasks that fall due this soon after each other share a round. */
export const ROUND_SLACK_MS = 200;

/** The longest wait that we choose ourselves while a service fails. */
const LONGEST_BACKOFF_MS = 30_000;

/** A task may be unknown for so long after its own submission: services read from replicas that lag. */
const REPLICA_LAG_MS = 10_000;

/** How often a task may call itself completed without an address before that counts as nonsense. */
export const REPOLLS_WITHOUT_URL = 3;

/** Milliseconds to the next poll after an answer: 2 to 3 seconds, however early its round collects it. `random` is in [0, 1). */
export const waitAfterAnswer = (random: number): number => {
  const shortest = POLL_INTERVAL_MS.min + ROUND_SLACK_MS;
  return Math.round(shortest + random * (POLL_INTERVAL_MS.max - shortest));
};

/** Milliseconds to the next poll after the nth failure in a row: what the service asks for, else doubling with equal jitter. */
export function waitAfterFailure(error: ServiceError, failuresInRow: number, random: number): number {
  if (error.retryAfterMs !== undefined) return error.retryAfterMs + ROUND_SLACK_MS;
  const backoff = Math.min(LONGEST_BACKOFF_MS, POLL_INTERVAL_MS.max * 2 ** (failuresInRow - 1));
  return Math.round(backoff / 2 + ROUND_SLACK_MS + (random * backoff) / 2);
}

/** Whether a failed poll leaves hope for the task. */
export const worthAnotherPoll = (error: unknown, sinceAcceptedMs: number): error is ServiceError =>
  error instanceof ServiceError &&
  (error.retryable || (error.kind === 'not-found' && sinceAcceptedMs < REPLICA_LAG_MS));
