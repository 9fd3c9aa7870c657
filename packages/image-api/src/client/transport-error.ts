import { isTimeout } from '@darkroom/time';
import { errors } from 'undici';
import { ServiceError } from '../service-error.ts';

/** The code of a call that was made after `close`. */
export const CLIENT_CLOSED = 'client_closed';

/**
 * The error of a request that got no whole answer. `requestSent`: whether anything of it may have been written to a
 * connection. An error that is already a `ServiceError` (a blocked address) stays what it is.
 */
export function transportError(cause: unknown, what: string, requestSent: boolean): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof errors.ClientDestroyedError && !requestSent)
    return new ServiceError('unreachable', `${what} was not sent: this client is closed`, {
      code: CLIENT_CLOSED,
    });
  const detail = detailOf(cause);
  if (cause instanceof errors.InvalidArgumentError)
    return new ServiceError('refused', `${what} was not sent: ${detail}`);
  if (!requestSent)
    return new ServiceError('unreachable', `${what} found no connection: ${detail}`, { cause });
  // Its other end was closed before everything was written: it never arrived whole, so nothing was made of it.
  if (cause instanceof Error && 'code' in cause && cause.code === 'EPIPE') {
    return new ServiceError('unreachable', `${what} was cut off while it was sent: ${detail}`, { cause });
  }
  if (
    isTimeout(cause) ||
    cause instanceof errors.HeadersTimeoutError ||
    cause instanceof errors.BodyTimeoutError
  ) {
    return new ServiceError('timeout', `${what} got no whole answer in time: ${detail}`, { cause });
  }
  // The cause is left out: it carries the bytes that could not be read, and they may repeat what was sent.
  if (cause instanceof errors.HTTPParserError) {
    return new ServiceError('protocol', `${what} got something other than HTTP: ${detail}`);
  }
  if (cause instanceof errors.HeadersOverflowError) {
    return new ServiceError('protocol', `${what} got too long an answer: ${detail}`, { cause });
  }
  return new ServiceError('interrupted', `${what} was cut off: ${detail}`, { cause });
}

/** A failure to connect to every address of a name has a code, but no message. */
function detailOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason given';
  return cause.message || ('code' in cause && `${cause.code}`) || cause.name;
}
