import { TimestampStyles, time } from 'discord.js';
import type { AttemptKind } from '../credentials/attempts.ts';
import type { Invocation } from './command.ts';
import { UserError } from './user-error.ts';

/** Throws `UserError`, which says when there may be another one, where the caller has had the service asked too often. */
export async function takeAttempt(
  kind: AttemptKind,
  { caller, texts, context }: Pick<Invocation, 'caller' | 'texts' | 'context'>,
): Promise<void> {
  const refused = await context.attempts.take(kind, caller.member.id);
  if (!refused) return;
  const until = time(new Date(refused.until), TimestampStyles.RelativeTime);
  throw new UserError(texts.refusal.tooManyAttempts(until));
}
