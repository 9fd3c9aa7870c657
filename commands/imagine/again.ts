import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { parentOf } from './parent.ts';
import { optionsOf, request } from './request.ts';
import { findShownJob } from './shown-job.ts';

/** Makes once more what a job was asked for; pressed twice in a moment, once. */
export async function makeAgain(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [jobId = ''] = options;
  const job = await findShownJob(jobId, invocation);
  if (!job) throw new UserError(texts.refusal.jobExpired);
  const again = () => request(invocation, optionsOf(job), { parent: parentOf(job, invocation) });
  if (!(await context.presses.once(`${caller.member.id}:again:${jobId}`, again))) await reply.acknowledge();
}
