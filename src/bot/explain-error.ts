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
  if (error instanceof UnusableKeyError)
    return explainError(explainUnusable(error, texts, nextSteps), texts, nextSteps, log);
  return {
    content: explainFailure({ failure: reportFailure(error, log), payer: { kind: 'member' } }, texts),
  };
}

/** What a person reads whose linked key cannot be used. `draftId`: what goes on once another is linked. */
export function explainUnusable(
  { owner, why }: UnusableKeyError,
  texts: Texts,
  nextSteps: OfferedSteps,
  draftId?: string,
): UserError {
  if (why === 'unreadable' && owner.kind === 'guild')
    return new UserError(texts.refusal.unreadableServerKey, { isOfPlace: true });
  const { unauthorized } = texts.failure.reasons;
  const sentence = why === 'rejected' ? unauthorized[owner.kind] : texts.refusal.unreadableKey;
  const goesOn = draftId !== undefined && owner.kind === 'member';
  return new UserError(goesOn ? `${sentence} ${texts.firstKey.goesOn}` : sentence, {
    nextStep: nextSteps.linkKey?.('member', texts, draftId),
    isOfPlace: true,
    isKept: draftId !== undefined,
  });
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
