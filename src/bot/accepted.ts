import { ServiceError, UnreadableKeyError, type UserError } from '../errors.ts';

/** What `call` answers. Where its key or login token is not accepted, or cannot be read, `refuse` says so in our words. */
export async function accepted<Result>(
  call: Promise<Result>,
  refuse: (options: ErrorOptions) => UserError,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const useless =
      error instanceof UnreadableKeyError || (error instanceof ServiceError && error.kind === 'unauthorized');
    throw useless ? refuse({ cause: error }) : error;
  }
}
