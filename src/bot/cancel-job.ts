import { explainCancelled } from '../delivery/render-cancelled.ts';
import type { Cancelled } from '../jobs/cancelling.ts';
import type { Job } from '../jobs/job.ts';
import { hasEnded } from '../jobs/job-task.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Invocation } from './invocation.ts';
import { recordAction } from './record-action.ts';

/** Cancels a job for a caller who may, and tells them alone what has become of it. As the first answer. */
export async function cancelJob(
  invocation: Invocation<unknown, 'moderation' | 'pictures'>,
  job: Job,
): Promise<void> {
  const { caller, reply, texts, context } = invocation;
  const { id, guildId, member } = job;
  if (job.tasks.every(hasEnded)) {
    await reply.replyEphemeral({ content: explainCancelled(job, texts) });
    return;
  }
  await reply.promise();
  const result = await context.pictures.tracker.cancel(id, caller.member.id);
  const isOthers = member.id !== caller.member.id && result.state !== 'over';
  if (isOthers && (await caller.botIsMember())) {
    await recordAction(invocation, guildId, { event: 'request-cancelled', memberId: member.id, jobId: id });
  }
  await reply.editReply({ content: explain(result, texts) });
}

function explain(result: Cancelled, texts: Texts): string {
  if (result.state === 'ended') return explainCancelled(result.job, texts);
  return result.state === 'over' ? texts.cancel.tooLate : texts.cancel.underWay;
}
