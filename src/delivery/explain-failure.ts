import type { Payer } from '../credentials/key-owner.ts';
import type { Job } from '../jobs/job.ts';
import { isAboutMoney, type JobTask, type TaskFailure, wasStopped } from '../jobs/job-task.ts';
import type { Texts } from '../messages/locale/en.ts';
import { truncate, verbatim } from '../messages/message.ts';
import { linkToPicture } from './job-links.ts';

/** Of the service's own sentence. */
const REASON_CHARACTERS = 200;

/** Failures after which nobody here knows whether the task was accepted, or what became of it, but for its cost. */
const MAYBE_CHARGED: ReadonlySet<TaskFailure['kind']> = new Set([
  'unclear',
  'withheld',
  'timed-out',
  'left',
  'moved',
]);

/** Failures of calls after the task was accepted: whether it cost credits is known only where the service says so. */
const AFTER_ACCEPTANCE: ReadonlySet<TaskFailure['kind']> = new Set([
  'refused',
  'unauthorized',
  'insufficient-balance',
  'not-found',
  'protocol',
  'blocked',
]);

/** Failures that the service itself gives a reason for. */
const SPOKEN: ReadonlySet<TaskFailure['kind']> = new Set(['task-failed', 'withheld', 'refused']);

type Failed = Pick<Extract<JobTask, { state: 'failed' }>, 'failure' | 'taskId' | 'cost'>;

const chargeable = ({ failure: { kind }, taskId }: Failed): boolean =>
  MAYBE_CHARGED.has(kind) || (taskId !== undefined && AFTER_ACCEPTANCE.has(kind));

const mayBeCharged = (failed: Failed): boolean => failed.cost === undefined && chargeable(failed);

/** What a task that failed has cost, where that is told. That a picture which was not made is free needs no word. */
function toldCost(failed: Failed): number | undefined {
  if (chargeable(failed)) return failed.cost;
  return failed.failure.kind === 'task-failed' ? failed.cost || undefined : undefined;
}

interface Explained extends Failed {
  payer: Pick<Payer, 'kind'>;
  /** Without a word about credits. */
  forAll?: boolean;
}

/** Why there is no picture, and the reference of the log line that says more. */
export const explainFailure = (failed: Explained, texts: Texts): string =>
  withReferences(explain(failed, texts), [failed.failure.reference], texts);

function withReferences(why: string, references: readonly (string | undefined)[], texts: Texts): string {
  const known = references.filter((reference) => reference !== undefined);
  return known.length === 0 ? why : `${why} ${texts.failure.references(known)}.`;
}

function explain({ failure, taskId, cost, payer, forAll = false }: Explained, texts: Texts): string {
  const { reason, credits } = failure;
  // Without a task there is no picture to forget: what the service did not know is the call itself.
  const kind = failure.kind === 'not-found' && taskId === undefined ? 'refused' : failure.kind;
  const why = texts.failure.reasons[kind];
  const speaks = reason !== undefined && SPOKEN.has(kind);
  return [
    kind === 'insufficient-balance' && payer.kind === 'member' && credits
      ? texts.failure.tooFewCredits(credits.required, credits.balance)
      : typeof why === 'string'
        ? why
        : why[payer.kind],
    ...(speaks ? [texts.failure.serviceSays(verbatim(truncate(reason, REASON_CHARACTERS)))] : []),
    ...(mayBeCharged({ failure, taskId, cost }) && !forAll ? [texts.failure.mayBeCharged[payer.kind]] : []),
  ].join(' ');
}

/** Why some pictures of a job did not come out, each reason once. `forAll`: without what is only for their member. */
export function explainFailures(job: Job, { forAll }: { forAll: boolean }, texts: Texts): string[] {
  const { tasks, payer } = job;
  const said = new Map<string, Failed[]>();
  for (const task of tasks) {
    if (task.state !== 'failed' || (forAll && isAboutMoney(task))) continue;
    const { address } = task.failure;
    const link = address === undefined ? undefined : linkToPicture(job, task, address);
    const why = [
      explain({ ...task, payer, forAll }, texts),
      ...(link === undefined ? [] : [texts.failure.link(link)]),
    ].join(' ');
    said.set(why, [...(said.get(why) ?? []), task]);
  }
  return [...said].map(([why, failed]) => {
    const references = failed.map(({ failure }) => failure.reference);
    const costs = failed.flatMap((one) => toldCost(one) ?? []);
    if (costs.length === 0 || forAll) return withReferences(why, references, texts);
    const cost = costs.reduce((sum, one) => sum + one, 0);
    const price = cost === 0 ? texts.cancel.free : texts.cancel.price(cost);
    return withReferences(`${why} ${price}`, references, texts);
  });
}

/** The same below how many did not come out, where others did. */
export function failureLines(job: Job, { forAll }: { forAll: boolean }, texts: Texts): string[] {
  const { length: all } = job.tasks;
  const failed = job.tasks.filter(({ state }) => state === 'failed').length;
  const explanations = explainFailures(job, { forAll }, texts);
  if (failed === 0 || failed === all) return explanations;
  return [texts.failure.someFailed(failed, all, explanations.length > 0), ...explanations];
}

/** Whether there is something to say of it about credits that its member does not know yet. */
export const concernsCredits = (task: JobTask): boolean =>
  task.state === 'failed' &&
  !wasStopped(task) &&
  (isAboutMoney(task) || mayBeCharged(task) || (toldCost(task) ?? 0) > 0);
