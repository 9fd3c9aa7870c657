import type { APIActionRowComponent } from 'discord-api-types/v10';
import type { Payer } from '../credentials/key-owner.ts';
import type { Job, TaskFailure } from '../jobs/job.ts';
import { type Button, rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { completedTasks } from './shown-pictures.ts';

type Remedy = (nextSteps: OfferedSteps, texts: Texts) => Button | undefined;

const linkOwnKey: Remedy = ({ linkKey }, texts) => linkKey?.('member', texts);
const linkServerKey: Remedy = ({ linkKey }, texts) => linkKey?.('guild', texts);
const showBalance: Remedy = (nextSteps, texts) => nextSteps.showBalance?.(texts);

/** What helps where the key is the trouble, and where the credits are: only who pays by a key of their own sees what is left. */
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

/** What may help against a failure, beside trying again. */
const REMEDIES: Readonly<Partial<Record<TaskFailure['kind'], typeof KEY>>> = {
  unauthorized: KEY,
  'no-key': KEY,
  'insufficient-balance': MORE_CREDITS,
  unclear: LOOK,
  'timed-out': LOOK,
  left: LOOK,
};

/** What may help against what failed. */
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
 * The buttons under the outcome of a job: the sensible next step first, and what does not fit behind More. One of them carries
 * the job's id.
 */
export function outcomeButtons(
  job: Job,
  texts: Texts,
  nextSteps: OfferedSteps,
): APIActionRowComponent<Button>[] {
  const { id, member } = job;
  // They tell of somebody's credits or key.
  const helpful = job.private ? remediesOf(job, texts, nextSteps) : [];
  const completed = completedTasks(job);
  const remove = nextSteps.deleteMessage?.(member.id, texts);
  const edit = nextSteps.edit?.(id, texts);
  if (completed.length === 0) {
    const details = nextSteps.showDetails?.(id, texts);
    return [
      ...rowsOf(...helpful),
      ...rowsOf(nextSteps.repeat?.(id, texts.picture.tryAgain), edit, details, remove),
    ];
  }
  return [
    rowsOf(...helpful),
    rowsOf(...firstRow(job, completed, texts, nextSteps)),
    ...(completed.length > 1
      ? [nextSteps.vary, nextSteps.showOnly].map((step, row) => {
          const label = row === 0 ? texts.actions.varyNth : texts.actions.onlyNth;
          return rowsOf(...completed.map((task, nth) => step?.(id, task, label(nth + 1))));
        })
      : []),
  ].flat();
}

/** Of pictures: as many as fit into a row. */
function firstRow(
  job: Job,
  [first = 0, ...others]: readonly number[],
  texts: Texts,
  nextSteps: OfferedSteps,
) {
  const { id, member } = job;
  const publish = canBePublished(job) ? nextSteps.publish?.(id, texts) : undefined;
  const again = nextSteps.repeat?.(id, texts.picture.again);
  const edit = nextSteps.edit?.(id, texts);
  const details = nextSteps.showDetails?.(id, texts);
  const more = nextSteps.more?.(job, texts);
  if (others.length === 0) {
    const vary = nextSteps.vary?.(id, first, texts.actions.vary);
    return publish ? [publish, again, edit, vary, more] : [again, edit, vary, details, more];
  }
  const remove = nextSteps.deleteMessage?.(member.id, texts);
  return publish ? [publish, again, edit, details, more] : [again, edit, details, remove, more];
}

/** Whether a picture is private that its server may see. */
export const canBePublished = ({
  private: hidden,
  withheld,
  guildId,
}: Pick<Job, 'private' | 'withheld' | 'guildId'>): boolean => hidden && !withheld && guildId !== null;
