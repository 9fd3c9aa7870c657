import { z } from 'zod';
import { guildOfRequest, isOver, type Job } from '../jobs/job.ts';
import { costOf, hasEnded, mayHaveCome, wasStopped } from '../jobs/job-task.ts';

/** What an ended job leaves of itself where its server counts. */
export const usageRow = z.object({
  /** Null once the member has erased what is known of them, and while its outcome waits for them. */
  memberId: z.string().nullable(),
  workflow: z.string(),
  pictures: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Of a key that is not the member's own, where the service says what a picture cost. */
  credits: z.number().nonnegative(),
});
export type UsageRow = z.infer<typeof usageRow>;

/** Names the workflow of a node graph, which has none. */
export const GRAPH = 'graph';

/**
 * Where the usage of a job stands, `GUILD:DAY:JOB`: by the server that it was asked for in, and the day, in UTC, on
 * which its tasks had ended.
 */
export const usageId = (job: Job): string => `${guildOfRequest(job)}:${usageDay(job)}:${job.id}`;

export const usageDay = ({ endedAt, createdAt }: Job): string => dayOf(endedAt ?? createdAt);

/**
 * Undefined where nothing counts: in direct messages, before its tasks have ended, and of what was cancelled at no
 * cost. Of an outcome that was found after the process had died that could not write the end of a task, the picture
 * counts: it is not known any more how the task ended.
 */
export function usageOf(job: Job): UsageRow | undefined {
  if (guildOfRequest(job) === null || !(isOver(job) || job.tasks.every(hasEnded))) return undefined;
  const completed = job.tasks.filter(mayHaveCome);
  const failed = job.tasks.filter((task) => task.state === 'failed' && !wasStopped(task));
  // What is cancelled may have cost something, too.
  const credits = job.payer.kind === 'member' ? 0 : (costOf(job.tasks) ?? 0);
  if (completed.length + failed.length === 0 && credits === 0) return undefined;
  return {
    // While its outcome waits it may expire before the member has seen it, and then nobody could find this by them.
    memberId: job.state === 'waiting' ? null : job.member.id,
    workflow:
      job.graph || typeof job.submission.prompt !== 'string' ? GRAPH : (job.submission.workflow ?? 'default'),
    pictures: completed.length,
    failed: failed.length,
    credits,
  };
}

/** `2026-11-22`: the day of a moment, in milliseconds since the epoch, in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
