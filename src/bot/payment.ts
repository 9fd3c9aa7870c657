import { type Credential, UnusableKeyError } from '../credentials/credentials.ts';
import type { Invocation } from './invocation.ts';

/** What pays for a member's pictures in a place. */
export interface Payment {
  credential: Credential | undefined;
  /** Why there is none, where a key is linked. */
  unusable?: UnusableKeyError | undefined;
}

/**
 * Never rejects for a key that cannot be used: whoever asks for something is told so, and what was paid before can be
 * looked at, published, deleted and reported without.
 */
export async function paymentOf({
  caller,
  context,
}: Pick<Invocation<unknown, 'keys'>, 'caller' | 'context'>): Promise<Payment> {
  try {
    return { credential: await context.keys.credentials.resolve(caller) };
  } catch (error) {
    if (error instanceof UnusableKeyError) return { credential: undefined, unusable: error };
    throw error;
  }
}
