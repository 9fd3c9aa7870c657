import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { optionsOf, request } from './request.ts';
import { isShownTo } from './shown-to.ts';

/** Makes once more what a job was asked for. */
export async function makeAgain(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, texts, context } = invocation;
  const [jobId = ''] = options;
  const job = await context.tracker.find(jobId);
  if (!job || !isShownTo(caller, job)) throw new UserError(texts.refusal.jobExpired);
  await request(invocation, optionsOf(job), { parent: { jobId } });
}
