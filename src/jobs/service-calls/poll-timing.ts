import { POLL_INTERVAL_MS, ServiceError, type ServiceErrorKind } from '@darkroom/image-api';
import { backoffMs } from '@darkroom/time';

/** Tasks that are due within this are polled together, the first of them a little late. */
export const TICK_MS = 20;

/**
 * The first and the longest wait between failed calls for a task, unless the service asks for another: once it is
 * back, all tasks are polled within ten seconds, spread out.
 */
export const RETRY_WAITS = {
  firstMs: POLL_INTERVAL_MS.max,
  maxMs: 8_000,
  retryAfterMs: (error: unknown) => (error instanceof ServiceError ? error.retryAfterMs : undefined),
};

/**
 * A task may be unknown for so long after its own submission, and its picture after its completion: services read from
 * replicas that lag.
 */
const REPLICA_LAG_MS = 10_000;

/** S3 answers 403 to who may not list a bucket where it has no such file. */
const MISSING: ReadonlySet<ServiceErrorKind> = new Set(['not-found', 'refused']);

/**
 * How long, and how often, polls of a task have to be refused one after the other before that is believed: many a
 * service calls a trouble of its own a failure of the request, and what it has accepted is paid for. Where polls are
 * far apart, or the machine slept, the time alone says nothing.
 */
export const REFUSED = { forMs: 60_000, times: 5 };

/** A 401 is of the key; a 403 may be a block that passes, in whatever words. */
export const isRefusal = ({ kind, status }: ServiceError): boolean =>
  kind === 'refused' || (kind === 'unauthorized' && status === 403);

/** How often a task may call itself completed without an address before that counts as nonsense. */
export const MAX_POLLS_WITHOUT_URL = 3;

/** Milliseconds to the next poll after an answer: 2 to 3 seconds, however late in its tick. `random` is in [0, 1). */
export const pollIntervalMs = (random: number): number =>
  Math.round(POLL_INTERVAL_MS.min + random * (POLL_INTERVAL_MS.max - TICK_MS - POLL_INTERVAL_MS.min));

/** Milliseconds to the first poll of a task that is resumed: thousands of them are spread over the usual interval. */
export const resumedPollMs = (random: number): number => Math.round(random * POLL_INTERVAL_MS.min);

/** Milliseconds to the next poll after the nth failure in a row: no fewer than the service asks for. */
export const pollBackoffMs = (
  { retryAfterMs }: ServiceError,
  failuresInRow: number,
  random: number,
): number => backoffMs({ ...RETRY_WAITS, attempt: failuresInRow, random: () => random, retryAfterMs });

/** Whether there is no such task or picture, or none for us. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ServiceError && MISSING.has(error.kind);

/** Whether a failed call for a task may succeed later. `sinceMs`: since the task was accepted, or completed. */
export const isTransient = (error: unknown, sinceMs: number): boolean =>
  isMissing(error) ? sinceMs < REPLICA_LAG_MS : error instanceof ServiceError && error.retryable;
