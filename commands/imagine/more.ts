import { ButtonStyle } from 'discord.js';
import { canBePublished } from '../../src/delivery/outcome-buttons.ts';
import { completedTasks, shownFile } from '../../src/delivery/shown-pictures.ts';
import type { Job } from '../../src/jobs/job.ts';
import { isSeeded } from '../../src/jobs/task-submission.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { repeatButton } from './again.ts';
import { deleteButton, keepDeletion, mayDelete } from './delete.ts';
import { detailsOf } from './details.ts';
import type { Invocation } from './invocation.ts';
import { makeableOf, makingsOf, rowsOfMakings } from './makings.ts';
import { reportButton } from './report.ts';
import { findShownJob } from './shown-job.ts';

/** It names the member, so that they can delete what is no longer known here. */
export const moreButton = ({ id, member }: Pick<Job, 'id' | 'member'>, { actions }: Texts) =>
  button(ButtonStyle.Secondary, actions.more, customId('imagine', 'more', id, member.id));

/** How a picture was made, and what else its reader may do with it: nobody is offered what would be refused. */
export async function showMore(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, message, reply, texts } = invocation;
  const [jobId = '', memberId = ''] = options;
  const job = await findShownJob(jobId, invocation);
  const offered = rowsOf(
    message && mayDelete(memberId, invocation) ? deleteButton(memberId, texts, message.id) : undefined,
    job && !job.private && job.guildId !== null && job.member.id !== caller.member.id
      ? reportButton(job.id, texts)
      : undefined,
  );
  if (!job && offered.length === 0) throw new UserError(texts.actions.gone);
  const makings = job ? await rowsUnder(job, invocation) : [];
  await reply.acknowledge();
  if (message && mayDelete(memberId, invocation)) keepDeletion(message.id, invocation);
  const details = job ? await detailsOf(job, invocation) : { content: texts.actions.gone };
  await reply.followUp(
    { ...details, rows: [...(details.rows ?? []), ...makings, ...offered] },
    { ephemeral: true },
  );
}

/** What else can be made of the one picture that a message shows: of several, one is picked first. */
async function rowsUnder(job: Job, invocation: Invocation<readonly string[]>) {
  const { message, texts } = invocation;
  const completed = completedTasks(job);
  const isSingle = completed.length === 1;
  const shown = completed.filter((nth) => isSingle || shownFile(job, nth, message?.files ?? []));
  const [task] = shown;
  if (task === undefined || shown.length > 1) return [];
  const makeable = await makeableOf(job.id, `${task}`, invocation).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (!makeable) return [];
  const makings = await makingsOf(makeable, invocation);
  const hasAgain = !(makings.upscale && canBePublished(job)) || !isSeeded(job.submission);
  // What stands in the row of the picture itself is not offered twice.
  const others = isSingle ? { ...makings, upscale: undefined, varySubtly: undefined } : makings;
  return rowsOfMakings(others, { again: hasAgain ? undefined : repeatButton(job.id, texts.picture.again) });
}
