import { CallFailed } from '../call-failed.ts';
import { DrawingError } from '../engine.ts';
import * as responses from './responses.ts';

/** Refusals that concern the moment, though their status says otherwise. */
const FOR_NOW: readonly string[] = ['MaintenanceMode', 'TimeoutIP', 'TooManyPrompts'];

const MAX_REASON = 300;

/** Whether the same call may work later. */
export function isForNow(error: unknown): boolean {
  if (!(error instanceof CallFailed)) return false;
  const { status = 500, body } = error;
  const refused = responses.problem.safeParse(body).data;
  // An answer below 400 was one that nobody can read.
  return (
    status < 400 || status >= 500 || status === 429 || isBadKey(error) || FOR_NOW.includes(refused?.rc ?? '')
  );
}

/** Whether the key is not accepted: its operator can change that, and nobody else. */
export const isBadKey = (error: unknown): boolean => error instanceof CallFailed && error.status === 401;

export const isGone = (error: unknown): boolean => error instanceof CallFailed && error.status === 404;

/** A refusal in words for whoever asked; anything else as it is. */
export function explainRefusal(error: unknown): unknown {
  if (!(error instanceof CallFailed) || isForNow(error)) return error;
  const refused = responses.problem.safeParse(error.body).data;
  if (!refused) return error;
  if (refused.rc === 'KudosUpfront')
    return new DrawingError('The AI Horde is too busy for a picture of this size and so many steps.', {
      cause: error,
    });
  const reason = refused.message.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON);
  return new DrawingError(`The AI Horde refused this: ${reason}`, { cause: error });
}
