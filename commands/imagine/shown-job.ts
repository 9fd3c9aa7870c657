import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import type { Job } from '../../src/jobs/job.ts';
import { isShownTo } from './shown-to.ts';

/**
 * The job that a button belongs to, where the caller can have that button before them: whoever sends another id learns
 * nothing of what was asked. Throws `UserError` otherwise.
 */
export async function shownJob(
  jobId: string,
  { caller, texts, context }: Pick<Invocation, 'caller' | 'texts' | 'context'>,
): Promise<Job> {
  const job = await context.tracker.find(jobId);
  if (!job || !isShownTo(caller, job)) throw new UserError(texts.actions.gone);
  return job;
}

/** The id of the job that a message of ours shows, by the buttons under it. */
export function jobOf(customIds: readonly string[]): string | undefined {
  for (const id of customIds) {
    const [, job] =
      /^imagine:(?:again|edit|details|publish|more|only|vary|cancel):(\d{17,20})/.exec(id) ?? [];
    if (job !== undefined) return job;
  }
  return undefined;
}
