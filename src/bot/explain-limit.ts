import { TimestampStyles, time } from 'discord.js';
import type { LimitedClaim } from '../limits/claim.ts';
import { rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';

/** What a person reads whose request would pass a limit, and when it ends. */
export function explainLimit(
  { limited, per, limit, endsAt }: LimitedClaim,
  texts: Texts,
  nextSteps: OfferedSteps,
): Message {
  if (endsAt === undefined || per === 'request') return { content: texts.limits.openRequests(limit) };
  const content = texts.limits.reached(
    limited,
    per,
    limit,
    time(new Date(endsAt), TimestampStyles.RelativeTime),
  );
  const ownKey = limited === 'key' ? nextSteps.linkKey?.('member', texts) : undefined;
  return { content, rows: rowsOf(ownKey) };
}
