import type { Payer } from '../credentials/key-owner.ts';
import { completedTasks, type Job } from '../jobs/job.ts';
import { failedBy, type TaskFailure } from '../jobs/job-task.ts';
import { makesOthers, takesValues } from '../jobs/task-submission.ts';
import { type Button, menuRow, type Row, rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { OfferedActions, OfferedSteps } from '../messages/next-steps.ts';

type Remedy = (nextSteps: OfferedSteps, texts: Texts) => Button | undefined;

const linkOwnKey: Remedy = ({ linkKey }, texts) => linkKey?.('member', texts);
const linkServerKey: Remedy = ({ linkKey }, texts) => linkKey?.('guild', texts);
const showBalance: Remedy = (nextSteps, texts) => nextSteps.showBalance?.(texts);

/**
 * What helps where the key is the trouble, and where the credits are: only who pays by a key of their own sees what
 * is left.
 */
const KEY: Readonly<Record<Payer['kind'], readonly Remedy[]>> = {
  member: [linkOwnKey],
  guild: [linkOwnKey, linkServerKey],
  operator: [linkOwnKey],
};
const MORE_CREDITS = {
  member: [showBalance],
  guild: [linkOwnKey],
  operator: [linkOwnKey],
} satisfies typeof KEY;
const LOOK = { member: [showBalance], guild: [], operator: [] } satisfies typeof KEY;

/** What is wrong with a file for good. */
const isOfFile = failedBy('input-unreadable', 'input-too-large');

/** Whether something else may come of a job that is over where it is asked for once more. */
export const mayDiffer = (job: Pick<Job, 'submission' | 'graph' | 'tasks'>): boolean =>
  completedTasks(job).length > 0 ? makesOthers(job) : !job.tasks.every(isOfFile);

/** What may help against a failure, beside trying again. */
const REMEDIES: Readonly<Partial<Record<TaskFailure['kind'], typeof KEY>>> = {
  unauthorized: KEY,
  'no-key': KEY,
  'insufficient-balance': MORE_CREDITS,
  unclear: LOOK,
  withheld: LOOK,
  'timed-out': LOOK,
  left: LOOK,
};

export function remediesOf(
  { payer, tasks }: Pick<Job, 'payer' | 'tasks'>,
  texts: Texts,
  nextSteps: OfferedSteps,
): (Button | undefined)[] {
  const helpful = tasks.flatMap(
    (task) => (task.state === 'failed' && REMEDIES[task.failure.kind]?.[payer.kind]) || [],
  );
  return [...new Set(helpful)].map((remedy) => remedy(nextSteps, texts));
}

/**
 * What can be done with the outcome of a job: a row of buttons, the sensible next step first, and of several pictures
 * a menu in which one is picked. One of them carries the job's id.
 */
export function outcomeButtons(
  job: Job,
  texts: Texts,
  nextSteps: OfferedSteps,
  { upscales, varies }: OfferedActions = { upscales: false, varies: false },
): Row[] {
  const { id } = job;
  // They tell of somebody's credits or key.
  const helpful = job.private ? remediesOf(job, texts, nextSteps) : [];
  const more = nextSteps.more?.(job, texts);
  const [first, ...others] = completedTasks(job);
  const isSingle = first !== undefined && others.length === 0;
  // What the graph does not take may still change the picture.
  const edit = takesValues(job) || (isSingle && varies) ? nextSteps.edit?.(id, texts) : undefined;
  const differs = mayDiffer(job);
  if (first === undefined) {
    const again = differs ? nextSteps.again?.(id, texts.picture.tryAgain) : undefined;
    return [...rowsOf(...helpful), ...rowsOf(again, edit, more)];
  }
  const canBePublished = job.private && !job.withheld && job.guildId !== null;
  const publish = canBePublished ? nextSteps.publish?.(id, texts) : undefined;
  const upscale = isSingle && upscales ? nextSteps.upscale?.(id, first, texts) : undefined;
  const vary =
    isSingle && (varies || differs)
      ? nextSteps.vary?.(id, first, varies ? 'subtly' : undefined, texts)
      : undefined;
  // What finds no room in the row stands behind More.
  const again = differs && !(publish && upscale) ? nextSteps.again?.(id, texts.picture.again) : undefined;
  const pick = isSingle ? undefined : nextSteps.pick?.(job, texts);
  return [
    ...rowsOf(...helpful),
    ...rowsOf(publish, again, vary, upscale, edit, more),
    ...(pick ? [menuRow(pick)] : []),
  ];
}
