import type { TaskProgress } from '../../jobs/delivery-port.ts';
import { hasEnded, type Job } from '../../jobs/job.ts';

/** How long an estimate that has passed is still taken for nearly true, in milliseconds: the time of an edit. */
const OVERDUE_MS = 3_000;

/**
 * In how many seconds the last picture is expected, so roughly that it changes only now and then. Undefined where a task has no
 * estimate that holds, where that has passed, or where the job is not followed for so long.
 */
export function timeLeft(
  { deadlineAt, tasks }: Job,
  progress: readonly TaskProgress[],
  now: number,
): number | undefined {
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, { expectedAt, trouble }] of progress.entries()) {
    const { [index]: task } = tasks;
    if (!task || hasEnded(task)) continue;
    if (trouble || expectedAt === undefined) return undefined;
    last = Math.max(last, expectedAt);
  }
  if (last <= now - OVERDUE_MS || last > deadlineAt) return undefined;
  const seconds = (last - now) / 1_000;
  const step = seconds < 15 ? 5 : seconds < 90 ? 10 : 60;
  return Math.max(step, Math.ceil(seconds / step) * step);
}
