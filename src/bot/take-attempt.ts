import { TimestampStyles, time } from 'discord.js';
import type { AttemptKind } from '../credentials/attempts.ts';
import { UserError } from '../messages/user-error.ts';
import type { Invocation } from './invocation.ts';

/** Throws `UserError`, which says when there may be another one, where the caller has had the service asked too often. */
export async function takeAttempt(
  kind: AttemptKind,
  { caller, texts, context }: Pick<Invocation<unknown, 'keys'>, 'caller' | 'texts' | 'context'>,
): Promise<void> {
  const refused = await context.keys.attempts.take(kind, caller.member.id);
  if (!refused) return;
  const until = time(new Date(refused.until), TimestampStyles.RelativeTime);
  throw new UserError(texts.refusal.tooManyAttempts(until));
}
