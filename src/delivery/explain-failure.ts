import type { Payer } from '../credentials/key-owner.ts';
import type { TaskFailure } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import { bareLink, truncate, verbatim } from '../messages/message.ts';

/** Of the service's own sentence. */
const REASON_CHARACTERS = 200;

/** Failures after which nobody here knows whether the task was accepted, or what became of it. */
const MAYBE_CHARGED: ReadonlySet<TaskFailure['kind']> = new Set(['unclear', 'timed-out']);

/** Failures of calls after the task was accepted: whether it cost credits is not known. */
const AFTER_ACCEPTANCE: ReadonlySet<TaskFailure['kind']> = new Set([
  'refused',
  'unauthorized',
  'insufficient-balance',
  'not-found',
  'protocol',
  'blocked',
]);

/** Why there is no picture. `taskId`: of the task that was accepted before it failed; `payer`: by whose key it was to be paid. */
export function explainFailure(
  {
    failure,
    taskId,
    payer,
  }: { failure: TaskFailure; taskId?: string | undefined; payer: Pick<Payer, 'kind'> },
  texts: Texts,
): string {
  const { reason, address, reference, credits } = failure;
  // Without a task there is no picture to forget: what the service did not know is the call itself.
  const kind = failure.kind === 'not-found' && taskId === undefined ? 'refused' : failure.kind;
  const why = texts.failure.reasons[kind];
  const maybeCharged = MAYBE_CHARGED.has(kind) || (taskId !== undefined && AFTER_ACCEPTANCE.has(kind));
  const speaks = reason !== undefined && (kind === 'task-failed' || kind === 'refused');
  return [
    kind === 'insufficient-balance' && payer.kind === 'member' && credits
      ? texts.failure.tooFewCredits(credits.required, credits.balance)
      : typeof why === 'string'
        ? why
        : why[payer.kind],
    ...(speaks ? [texts.failure.serviceSays(verbatim(truncate(reason, REASON_CHARACTERS)))] : []),
    ...(maybeCharged ? [texts.failure.mayBeCharged[payer.kind]] : []),
    ...(address === undefined ? [] : [texts.failure.link(bareLink(address))]),
    ...(reference === undefined ? [] : [`${texts.failure.reference(reference)}.`]),
  ].join(' ');
}
