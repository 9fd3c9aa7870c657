import { randomBytes } from 'node:crypto';
import { ServiceError } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { FileGoneError } from './input.ts';
import type { TaskFailure } from './job-task.ts';
import { JobWriteError } from './run.ts';

/** What the service says of a picture that a job begins with, by its own codes. */
const ABOUT_INPUT: ReadonlyMap<string, TaskFailure['kind']> = new Map([
  ['picture_unreadable', 'input-unreadable'],
  ['picture_too_large', 'input-too-large'],
  ['picture_not_found', 'input-gone'],
  ['operation_not_supported', 'unsupported'],
]);

/** Finds the line of the log that holds the cause of what somebody was told. */
export const newReference = (): string => randomBytes(4).toString('hex');

/**
 * What a member can be told of `error`, with a reference under which the log holds the cause. `about`: what else the
 * log says of it.
 */
export function reportFailure(
  error: unknown,
  log: Log,
  about: { job?: string; taskId?: string } = {},
): TaskFailure {
  const reference = newReference();
  const line = { err: error, ...about, reference };
  if (error instanceof ServiceError) {
    const { reason, credits, code = '' } = error;
    const kind = ABOUT_INPUT.get(code) ?? error.kind;
    log.warn({ ...line, kind }, 'the image service gave no usable answer');
    return { kind, reason, ...(credits && { credits }), reference };
  }
  if (error instanceof FileGoneError) {
    log.info(line, 'the picture that a request begins with is gone');
    return { kind: 'input-gone', reference };
  }
  if (error instanceof JobWriteError) {
    log.error(line, 'a request could not be written down, and was not submitted');
    return { kind: 'unwritten', reference };
  }
  log.error(line, 'an unexpected error ended a request; its member was given this reference');
  return { kind: 'internal', reference };
}
