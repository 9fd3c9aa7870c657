import { ButtonStyle } from 'discord.js';
import type { APIActionRowComponent } from 'discord-api-types/v10';
import type { Failure, Job } from '../jobs/job.ts';
import { type Button, button, customId, linkKey, rowsOf, showBalance } from './buttons.ts';
import type { Texts } from './locale/en.ts';

/** What may help against a failure, beside trying again. */
const REMEDIES: Readonly<Partial<Record<Failure['kind'], (texts: Texts) => Button>>> = {
  unauthorized: linkKey,
  'no-key': linkKey,
  'insufficient-balance': showBalance,
  unclear: showBalance,
  'timed-out': showBalance,
  left: showBalance,
};

/** The buttons under the outcome of a job: the sensible next step first. One of them carries the job's id. */
export function outcomeButtons({ id, member, tasks }: Job, texts: Texts): APIActionRowComponent<Button>[] {
  const helpful = tasks.flatMap((task) => (task.state === 'failed' && REMEDIES[task.failure.kind]) || []);
  const { again, tryAgain, delete: remove } = texts.picture;
  const isPicture = tasks.some(({ state }) => state === 'completed');
  return rowsOf(
    ...[...new Set(helpful)].map((remedy) => remedy(texts)),
    button(ButtonStyle.Secondary, isPicture ? again : tryAgain, customId('imagine', 'again', id)),
    button(ButtonStyle.Danger, remove, customId('imagine', 'delete', member.id)),
  );
}
