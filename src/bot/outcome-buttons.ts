import type { APIActionRowComponent } from 'discord-api-types/v10';
import type { Failure, Job } from '../jobs/job.ts';
import type { Payer } from '../payer.ts';
import { askAgain, type Button, deleteOutcome, linkKey, rowsOf, showBalance } from './buttons.ts';
import type { Texts } from './locale/en.ts';

type Remedies = readonly ((texts: Texts) => Button)[];

const linkOwnKey = (texts: Texts) => linkKey(texts);
const linkServerKey = (texts: Texts) => linkKey(texts, 'server');

/** What helps where the key is the trouble, and where the credits are: only who pays by a key of their own sees what is left. */
const KEY: Readonly<Record<Payer['kind'], Remedies>> = {
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
const REMEDIES: Readonly<Partial<Record<Failure['kind'], typeof KEY>>> = {
  unauthorized: KEY,
  'no-key': KEY,
  'insufficient-balance': MORE_CREDITS,
  unclear: LOOK,
  'timed-out': LOOK,
  left: LOOK,
};

/** The buttons under the outcome of a job: the sensible next step first. One of them carries the job's id. */
export function outcomeButtons(
  { id, member, payer, tasks }: Job,
  texts: Texts,
): APIActionRowComponent<Button>[] {
  const helpful = tasks.flatMap(
    (task) => (task.state === 'failed' && REMEDIES[task.failure.kind]?.[payer.kind]) || [],
  );
  const { again, tryAgain } = texts.picture;
  const isPicture = tasks.some(({ state }) => state === 'completed');
  return rowsOf(
    ...[...new Set(helpful)].map((remedy) => remedy(texts)),
    askAgain(isPicture ? again : tryAgain, id),
    deleteOutcome(texts, member.id),
  );
}
