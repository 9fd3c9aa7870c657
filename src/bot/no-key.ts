import type { Invocation } from './command.ts';
import { UserError } from './user-error.ts';

/** There is nothing to pay with: what a key is for, and how to get one. `draftId`: what goes on once there is one. */
export function noKey(
  { texts, context }: Pick<Invocation, 'texts' | 'context'>,
  draftId?: string,
): UserError {
  const { firstKey } = texts;
  const { nextSteps } = context;
  const words = draftId === undefined ? firstKey.needed : `${firstKey.needed} ${firstKey.goesOn}`;
  return new UserError(words, {
    nextSteps: [nextSteps.linkKey?.('member', texts, draftId), nextSteps.createKey?.(texts, draftId)],
  });
}
