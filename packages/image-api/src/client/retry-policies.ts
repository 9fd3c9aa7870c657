import type { RetryPolicy } from '@darkroom/time';
import { ServiceError } from '../service-error.ts';
import { CLIENT_CLOSED } from './transport-error.ts';

/** The code of an answer that is larger than any that is read. */
export const ANSWER_TOO_LARGE = 'answer_too_large';

/** Codes of what the next attempt would meet again. */
const LASTING: ReadonlySet<unknown> = new Set([CLIENT_CLOSED, ANSWER_TOO_LARGE]);

/** A budget of time, not a number of attempts, is what a waiting person feels. */
interface CallRetryPolicy extends RetryPolicy {
  budgetMs: number;
  firstMs: number;
  maxMs: number;
  isRetryable: (error: unknown) => boolean;
}

const retryAfterMs = (error: unknown) => (error instanceof ServiceError ? error.retryAfterMs : undefined);

const mayHelp = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.retryable && !LASTING.has(error.code);

/** For what changes nothing at the service: whatever may pass is tried again. */
export const READ_RETRIES: CallRetryPolicy = {
  budgetMs: 15_000,
  firstMs: 500,
  maxMs: 4_000,
  isRetryable: mayHelp,
  retryAfterMs,
};

/** For pictures: longer, so that after an attempt that hung in silence there is still time for another. */
export const DOWNLOAD_RETRIES: CallRetryPolicy = { ...READ_RETRIES, budgetMs: 45_000 };

/** For what costs credits or changes keys: only where it is certain that nothing happened. */
export const WRITE_RETRIES: CallRetryPolicy = {
  budgetMs: 20_000,
  firstMs: 1_000,
  maxMs: 5_000,
  isRetryable: (error) => mayHelp(error) && !error.unclear,
  retryAfterMs,
};
