import { TimestampStyles, time } from 'discord.js';
import type { LimitedClaim } from '../limits/claim.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { UserError } from '../messages/user-error.ts';

/** What a person reads whose request would pass a limit, and when it ends. */
export function explainLimit(
  { limited, per, limit, endsAt }: LimitedClaim,
  texts: Texts,
  nextSteps: OfferedSteps,
): UserError {
  if (endsAt === undefined || per === 'request') return new UserError(texts.limits.openRequests(limit));
  const sentence = texts.limits.reached(
    limited,
    per,
    limit,
    time(new Date(endsAt), TimestampStyles.RelativeTime),
  );
  const nextStep = limited === 'key' ? nextSteps.linkKey?.('member', texts) : undefined;
  return new UserError(sentence, { nextStep });
}
