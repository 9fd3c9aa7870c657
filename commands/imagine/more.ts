import { ButtonStyle } from 'discord.js';
import type { Job } from '../../src/jobs/job.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { deleteButton, keepDeletion, mayDelete } from './delete.ts';
import { detailsOf } from './details.ts';
import type { Invocation } from './invocation.ts';
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
  await reply.acknowledge();
  if (message && mayDelete(memberId, invocation)) keepDeletion(message.id, invocation);
  const details = job ? detailsOf(job, invocation) : { content: texts.actions.gone };
  await reply.followUp({ ...details, rows: [...(details.rows ?? []), ...offered] }, { ephemeral: true });
}
