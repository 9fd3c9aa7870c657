import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Failure } from './job.ts';
import { UnwrittenError } from './job-row.ts';

/**
 * What a member can be told of `error`, with a reference under which the log holds the cause. `about`: what else the log
 * says of it.
 */
export function failureOf(error: unknown, log: Log, about: { job?: string } = {}): Failure {
  const reference = randomBytes(4).toString('hex');
  const line = { err: error, ...about, reference };
  if (error instanceof ServiceError) {
    const { kind, reason } = error;
    log.warn({ ...line, kind }, 'the image service gave no usable answer');
    return { kind, reason, reference };
  }
  if (error instanceof UnwrittenError) {
    log.error(line, 'a request could not be written down, and was not submitted');
    return { kind: 'unwritten', reference };
  }
  log.error(line, 'a mistake of ours');
  return { kind: 'internal', reference };
}
