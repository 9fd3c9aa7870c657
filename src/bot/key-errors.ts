import { type Balance, ServiceError } from '@darkroom/image-api';
import { askBalance } from '../credentials/ask-balance.ts';
import type { AttemptKind } from '../credentials/attempts.ts';
import { type Credential, UnusableKeyError } from '../credentials/credentials.ts';
import { relativeTime } from '../messages/relative-time.ts';
import { UserError } from '../messages/user-error.ts';
import { explainUnusable } from './explain-error.ts';
import type { Invocation } from './invocation.ts';
import type { Payment } from './payment.ts';

/**
 * There is nothing to pay with: what a key is for, and how to get one; or why the one that is linked is `unusable`.
 * `draftId`: what goes on once there is one.
 */
export function noKey(
  { permissions, texts, context }: Pick<Invocation, 'permissions' | 'texts' | 'context'>,
  { unusable, draftId }: Pick<Payment, 'unusable'> & { draftId?: string | undefined } = {},
): UserError {
  const { firstKey } = texts;
  const { nextSteps } = context;
  if (unusable) return explainUnusable(unusable, { permissions, texts, nextSteps }, draftId);
  const words = draftId === undefined ? firstKey.needed : `${firstKey.needed} ${firstKey.goesOn}`;
  return new UserError(words, {
    nextSteps: [nextSteps.linkKey?.('member', texts, draftId), nextSteps.createKey?.(texts, draftId)],
    isOfPlace: true,
    isKept: draftId !== undefined,
  });
}

/**
 * As `call`; where its key or login token is not accepted, or cannot be read, rejects with what `toError` makes of
 * that.
 */
export async function catchRejectedKey<Result>(
  call: Promise<Result>,
  toError: (cause: unknown) => UserError,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw isRejectedKey(error) ? toError(error) : error;
  }
}

/** As `askBalance`; where the key is not accepted, rejects with what `toError` makes of that. */
export const balanceOf = (
  { payer, apiKey }: Pick<Credential, 'payer' | 'apiKey'>,
  { context }: Pick<Invocation<unknown, 'keys'>, 'context'>,
  toError: (cause: unknown) => UserError,
): Promise<Balance> => catchRejectedKey(askBalance(payer, apiKey, context.keys), toError);

/** Whether a key or login token is not accepted, or cannot be read. */
export const isRejectedKey = (error: unknown): boolean =>
  error instanceof UnusableKeyError || (error instanceof ServiceError && error.kind === 'unauthorized');

/** Counts one question to the service. Where it is one too many, throws `UserError`, which says when to ask again. */
export async function takeAttempt(
  kind: AttemptKind,
  { caller, texts, context }: Pick<Invocation<unknown, 'keys'>, 'caller' | 'texts' | 'context'>,
): Promise<void> {
  const refused = await context.keys.attempts.take(kind, caller.member.id);
  if (refused) throw new UserError(texts.refusal.tooManyAttempts(relativeTime(refused.until)));
}
