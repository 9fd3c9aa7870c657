import type { Log } from '@darkroom/process';
import { UnusableKeyError } from '../credentials/credentials.ts';
import { explainFailure } from '../delivery/explain-failure.ts';
import { ServiceDownError } from '../jobs/circuit-breaker.ts';
import { reportFailure } from '../jobs/report-failure.ts';
import { type LimitedReservation, LimitReachedError } from '../limits/reservation.ts';
import { rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { relativeTime } from '../messages/relative-time.ts';
import { UserError } from '../messages/user-error.ts';
import { StoreError } from '../storage/store.ts';

/** What a person reads of an error that a handler let rise: our own words as they are, else what can be told. */
export function explainError(error: unknown, texts: Texts, nextSteps: OfferedSteps, log: Log): Message {
  if (error instanceof UserError) return { content: error.message, rows: rowsOf(...error.nextSteps) };
  if (error instanceof LimitReachedError)
    return explainError(explainLimit(error.reservation, texts, nextSteps), texts, nextSteps, log);
  if (error instanceof ServiceDownError) return { content: texts.refusal.serviceDown };
  if (error instanceof StoreError) {
    const { reference = '' } = reportFailure(error, log);
    return { content: texts.refusal.storeDown(reference) };
  }
  if (error instanceof UnusableKeyError) return explainUnusable(error, texts, nextSteps);
  return {
    content: explainFailure({ failure: reportFailure(error, log), payer: { kind: 'member' } }, texts),
  };
}

function explainUnusable({ owner, why }: UnusableKeyError, texts: Texts, nextSteps: OfferedSteps): Message {
  const linkKey = nextSteps.linkKey?.('member', texts);
  if (why === 'rejected')
    return { content: texts.failure.reasons.unauthorized[owner.kind], rows: rowsOf(linkKey) };
  return owner.kind === 'member'
    ? { content: texts.refusal.unreadableKey, rows: rowsOf(linkKey) }
    : { content: texts.refusal.unreadableServerKey, rows: [] };
}

/** What a person reads whose request would pass a limit, and when it ends. */
export function explainLimit(
  { limited, per, limit, endsAt }: LimitedReservation,
  texts: Texts,
  nextSteps: OfferedSteps,
): UserError {
  if (endsAt === undefined || per === 'request') return new UserError(texts.limits.openRequests(limit));
  const sentence = texts.limits.reached(limited, per, limit, relativeTime(endsAt));
  const nextStep = limited === 'key' ? nextSteps.linkKey?.('member', texts) : undefined;
  return new UserError(sentence, { nextStep });
}
