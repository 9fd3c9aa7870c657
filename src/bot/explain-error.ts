import type { Log } from '@darkroom/process';
import { UnusableKeyError } from '../credentials/credentials.ts';
import { explainFailure } from '../delivery/explain-failure.ts';
import { FileGoneError } from '../jobs/input.ts';
import { newReference, reportFailure } from '../jobs/report-failure.ts';
import { ServiceDownError } from '../jobs/service-calls/circuit-breaker.ts';
import { ShardLostError } from '../jobs/shard.ts';
import { type LimitedReservation, LimitReachedError } from '../limits/reservation.ts';
import { rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { relativeTime } from '../messages/relative-time.ts';
import { UserError } from '../messages/user-error.ts';
import { StoreError } from '../storage/collection.ts';
import type { Invocation } from './invocation.ts';
import type { Permissions } from './permissions.ts';

/** Who is told something, and what they can be offered. */
type Told = Pick<Invocation, 'texts'> & {
  permissions: Pick<Permissions, 'callerHas'>;
  nextSteps: OfferedSteps;
};

/** What a person reads of an error that a handler let rise: our own words as they are, else what can be told. */
export function explainError(error: unknown, told: Told, log: Log): Message {
  const { texts, nextSteps } = told;
  const refusal = refusalOf(error, texts, nextSteps);
  if (refusal) return { content: refusal.message, rows: rowsOf(...refusal.nextSteps) };
  if (error instanceof StoreError) {
    const reference = newReference();
    log.error({ err: error, reference }, 'an interaction was refused: the store failed');
    return { content: texts.refusal.storeDown(reference) };
  }
  if (error instanceof UnusableKeyError) return explainError(explainUnusable(error, told), told, log);
  return {
    content: explainFailure({ failure: reportFailure(error, log), payer: { kind: 'member' } }, texts),
  };
}

/** What a person reads of an error that keeps a request from being made, and is no failure of ours. */
export function refusalOf(error: unknown, texts: Texts, nextSteps: OfferedSteps): UserError | undefined {
  if (error instanceof UserError) return error;
  if (error instanceof LimitReachedError) return explainLimit(error.reservation, texts, nextSteps);
  if (error instanceof ServiceDownError) return new UserError(texts.refusal.serviceDown);
  if (error instanceof FileGoneError) return new UserError(texts.actions.fileGone);
  if (error instanceof ShardLostError) return new UserError(texts.refusal.interrupted);
  return undefined;
}

/** What a person reads whose linked key cannot be used. `draftId`: what goes on once another is linked. */
export function explainUnusable(
  { owner, why }: UnusableKeyError,
  { permissions, texts, nextSteps }: Told,
  draftId?: string,
): UserError {
  const { unauthorized } = texts.failure.reasons;
  const { unreadableKey, unreadableServerKey } = texts.refusal;
  const unreadable = { member: unreadableKey, guild: unreadableServerKey };
  const sentence = why === 'rejected' ? unauthorized[owner.kind] : unreadable[owner.kind];
  const linked = why === 'rejected' ? 'member' : owner.kind;
  const mayLink = linked === 'member' || permissions.callerHas('ManageGuild');
  const goesOn = draftId !== undefined && owner.kind === linked && mayLink;
  return new UserError(goesOn ? `${sentence} ${texts.firstKey.goesOn}` : sentence, {
    nextSteps: mayLink ? [nextSteps.linkKey?.(linked, texts, draftId)] : [],
    isOfPlace: true,
    isKept: draftId !== undefined,
  });
}

/** What a person reads whose request would pass a limit, and when it ends. */
function explainLimit(
  { limited, per, limit, expires }: LimitedReservation,
  texts: Texts,
  nextSteps: OfferedSteps,
): UserError {
  if (per === 'request') return new UserError(texts.limits.openRequests(limit));
  const sentence = texts.limits.reached(limited, per, limit, relativeTime(expires));
  const isShared = limited === 'share' || limited === 'key';
  return new UserError(sentence, { nextSteps: isShared ? [nextSteps.linkKey?.('member', texts)] : [] });
}
