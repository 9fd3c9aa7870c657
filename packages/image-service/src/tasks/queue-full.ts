import { ApiError } from '../api-error.ts';
import { wholeSeconds } from '../rate-limit.ts';

/** Refuses a submission because of those before it, until there should be room. */
export function queueFull(message: string, roomInMs: number, details: { max?: number } = {}): ApiError {
  const seconds = wholeSeconds(roomInMs);
  return new ApiError('queue_full', message, {
    details: { ...details, retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  });
}
