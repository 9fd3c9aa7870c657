import { ServiceError } from '@darkroom/image-api';
import { UnusableKeyError } from '../credentials/credentials.ts';
import type { Button } from '../messages/buttons.ts';

interface UserErrorOptions extends ErrorOptions {
  /** Offered under the message. */
  nextStep?: Button | undefined;
  /** Likewise, where there are several; the most sensible first. */
  nextSteps?: readonly (Button | undefined)[];
}

/** Our own words, safe to show to the person who caused it; `message` is already in their language. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly nextSteps: readonly (Button | undefined)[];

  constructor(message: string, { nextStep, nextSteps = [nextStep], ...options }: UserErrorOptions = {}) {
    super(message, options);
    this.nextSteps = nextSteps;
  }
}

/** What `call` resolves with. Where its key or login token is not accepted, or cannot be read, rejects with what `toError` makes of that. */
export async function catchRejectedKey<Result>(
  call: Promise<Result>,
  toError: (cause: unknown) => UserError,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const rejected =
      error instanceof UnusableKeyError || (error instanceof ServiceError && error.kind === 'unauthorized');
    throw rejected ? toError(error) : error;
  }
}
