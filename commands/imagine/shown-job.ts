import type { Job } from '../../src/jobs/job.ts';
import { isShownTo } from '../../src/jobs/job-request.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { jobIdOf } from './cancel.ts';
import type { Invocation } from './invocation.ts';

type Place = Pick<Invocation, 'caller' | 'message' | 'context'>;

/**
 * The job that a button belongs to, where the caller can have that button before them: whoever sends another id learns
 * nothing of what was asked. Undefined otherwise.
 */
export async function findShownJob(
  jobId: string,
  { caller, message, context }: Place,
): Promise<Job | undefined> {
  const found = await context.pictures.tracker.find(jobId);
  // Published by a process that ended before it had written so.
  const isPublic =
    found?.publishing !== undefined && message?.ephemeral === false && message.channelId === found.channelId;
  const job = isPublic
    ? await context.pictures.publications.notePublic(found, {
        channelId: message.channelId,
        messageId: message.id,
      })
    : found;
  return job && isShownTo(caller, job) ? job : undefined;
}

/** As `findShownJob`; throws `UserError` where there is none. */
export async function shownJob(jobId: string, invocation: Place & Pick<Invocation, 'texts'>): Promise<Job> {
  const job = await findShownJob(jobId, invocation);
  if (!job) throw new UserError(invocation.texts.actions.gone);
  return job;
}

/** The id of the job that a message of ours shows, finished or not, by the buttons under it. */
export function jobOf(customIds: readonly string[]): string | undefined {
  for (const id of customIds) {
    const [, job] =
      /^imagine:(?:again|edit|publish|more|only|vary|pick|of|expand):(\d{17,20})(?=:|$)/.exec(id) ?? [];
    if (job !== undefined) return job;
    const [, cancelled] = /^imagine:cancel:([0-9a-z]{9,14})$/.exec(id) ?? [];
    if (cancelled !== undefined) return jobIdOf(cancelled);
  }
  return undefined;
}
