import { ApiError } from '../api-error.ts';

/** Refuses a submission because of those before it, until there should be room. */
export function queueFull(message: string, roomInMs: number, details: { max?: number } = {}): ApiError {
  const seconds = Math.max(1, Math.ceil(roomInMs / 1_000));
  return new ApiError('queue_full', message, {
    details: { ...details, retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  });
}
