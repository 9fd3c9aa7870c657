import type { RetryPolicy } from '@darkroom/time';
import { ServiceError } from '../service-error.ts';
import { CLIENT_CLOSED } from './transport-error.ts';

/** A budget of time, not a number of attempts, is what a waiting person feels. */
interface CallRetryPolicy extends RetryPolicy {
  budgetMs: number;
  firstMs: number;
  maxMs: number;
  isRetryable: (error: unknown) => boolean;
}

const retryAfterMs = (error: unknown) => (error instanceof ServiceError ? error.retryAfterMs : undefined);

const mayHelp = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.retryable && error.code !== CLIENT_CLOSED;

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
