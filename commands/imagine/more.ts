import { completedTasks, type Job } from '../../src/jobs/job.ts';
import { makesOthers } from '../../src/jobs/task-submission.ts';
import { type Button, button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError, unlessRefused } from '../../src/messages/user-error.ts';
import { againButton } from './again.ts';
import { deleteButton, keepDeletion, mayDelete } from './delete.ts';
import { detailsOf } from './details.ts';
import { editButton } from './edit.ts';
import type { Invocation } from './invocation.ts';
import { inputPictureOf, pictureActionsOf, rowsOfActions } from './picture-actions.ts';
import { fileToBring } from './picture-file.ts';
import { reportButton } from './report.ts';
import { isReportableAlone } from './reported-picture.ts';
import { findShownJob, isRemoved, noteIfAlone, ownerIdIn, taskIn } from './shown-job.ts';
import { varyButton } from './vary.ts';

/**
 * It names the member, so that they can delete what is no longer known here. `makerId`: under one that stands alone,
 * which whoever has posted it may delete, who made it.
 */
export const moreButton = (
  { id, member, makerId }: Pick<Job, 'id' | 'member'> & { makerId?: string },
  { actions }: Texts,
) => button.secondary(actions.more, customId('imagine', 'more', id, member.id, makerId));

/** How a picture was made, and what else its reader may do with it: nobody is offered what would be refused. */
export async function showMore(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, message, reply, texts } = invocation;
  const [jobId = ''] = options;
  const memberId = ownerIdIn(message?.customIds ?? []) ?? '';
  const job = await findShownJob(invocation, jobId);
  // What waits to be posted again would not be gone.
  const isDeletable = job?.state !== 'waiting' && mayDelete(invocation, memberId);
  const deletable = isDeletable ? message : undefined;
  const offered = rowsOf(
    deletable ? deleteButton(memberId, deletable.id, jobId, texts) : undefined,
    (await mayReport(invocation, jobId, job))
      ? reportButton(jobId, message?.ephemeral === false ? message.id : undefined, texts)
      : undefined,
  );
  if (!job && offered.length === 0) throw new UserError(texts.actions.gone);
  await reply.acknowledge();
  const task = job && taskIn(invocation, job);
  if (job && task !== undefined) noteIfAlone(invocation, job, task);
  const isUsable = job && task !== undefined && !(await isRemoved(invocation, job, { task }));
  const actionRows = isUsable ? await rowsUnder(invocation, job, task) : [];
  if (deletable) keepDeletion(invocation, deletable.id);
  const details = job ? await detailsOf(invocation, job) : { content: texts.actions.gone };
  const files = actionRows.length > 0 && isUsable ? await fileToBring(invocation, job, task) : [];
  await reply.followUp(
    {
      ...details,
      rows: [...(details.rows ?? []), ...actionRows, ...offered],
      files: [...files, ...(details.files ?? [])],
    },
    { ephemeral: true },
  );
}

/** Whoever has not made it may, also where its member has erased the job. */
async function mayReport(invocation: Invocation, jobId: string, job: Job | undefined): Promise<boolean> {
  const { caller } = invocation;
  if (!job) return isReportableAlone(invocation, jobId) && caller.botIsMember();
  return !job.private && job.guildId !== null && !job.away && job.member.id !== caller.member.id;
}

/** What else can be made of the one picture that a message shows: of several, one is picked first. */
async function rowsUnder(invocation: Invocation<readonly string[]>, job: Job, task: number) {
  const { message, texts } = invocation;
  const isSingle = completedTasks(job).length === 1;
  const picture = await unlessRefused(inputPictureOf(invocation, job.id, `${task}`));
  if (!picture) return [];
  const actions = await pictureActionsOf(invocation, picture);
  const row = message?.customIds ?? [];
  // What stands in the row of this very message, which may be of an earlier version, is not offered twice.
  const unless = (one: Button | undefined, ...same: Button[]) =>
    one && [one, ...same].some((each) => row.includes(each.custom_id)) ? undefined : one;
  const vary = varyButton(job.id, task, undefined, texts);
  const edit = editButton(job.id, texts, task);
  const others = {
    ...actions,
    upscale: unless(actions.upscale),
    varySubtly: unless(actions.varySubtly, vary),
  };
  const again = isSingle && makesOthers(job) ? againButton(job.id, texts.picture.again) : undefined;
  return rowsOfActions(others, {
    again: unless(again),
    edit: actions.edits ? unless(edit, editButton(job.id, texts)) : undefined,
  });
}
