import type { APIActionRowComponent } from 'discord-api-types/v10';
import type { Payer } from '../credentials/key-owner.ts';
import type { Job, TaskFailure } from '../jobs/job.ts';
import { type Button, rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';

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

/** The buttons under the outcome of a job: the sensible next step first. One of them carries the job's id. */
export function outcomeButtons(
  { id, member, guildId, payer, tasks, private: hidden }: Job,
  texts: Texts,
  nextSteps: OfferedSteps,
): APIActionRowComponent<Button>[] {
  const helpful = tasks.flatMap(
    (task) => (task.state === 'failed' && REMEDIES[task.failure.kind]?.[payer.kind]) || [],
  );
  const { again, tryAgain } = texts.picture;
  const isPicture = tasks.some(({ state }) => state === 'completed');
  return rowsOf(
    ...[...new Set(helpful)].map((remedy) => remedy(nextSteps, texts)),
    nextSteps.repeat?.(id, isPicture ? again : tryAgain),
    isPicture && !hidden && guildId !== null ? nextSteps.reportPicture?.(id, texts) : undefined,
    nextSteps.deleteMessage?.(member.id, texts),
  );
}
