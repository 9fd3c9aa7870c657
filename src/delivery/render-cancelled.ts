import { completedTasks, type Job } from '../jobs/job.ts';
import { hasEnded, wasStopped } from '../jobs/job-task.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import { headline } from './prompt-text.ts';

/** What became of a job that was cancelled, and what it cost. */
export function explainCancelled({ tasks }: Pick<Job, 'tasks'>, { cancel }: Texts): string {
  const stopped = tasks.filter(wasStopped);
  if (stopped.length === 0) return cancel.tooLate;
  const price = priceOf(stopped, cancel);
  const finished = completedTasks({ tasks }).length;
  return [
    ...(price === cancel.left ? [] : [cancel.cancelled]),
    price,
    ...(finished > 0 && tasks.every(hasEnded) ? [cancel.finished(finished, tasks.length)] : []),
  ].join(' ');
}

/** The same in a list: that it was cancelled, by whom where that was not its member, and what it cost. */
export const summarizeCancelled = ({ moderated, tasks }: Job, { cancel }: Texts): string =>
  `${moderated ? cancel.moderated : cancel.cancelled} ${priceOf(tasks.filter(wasStopped), cancel)}`;

/** What the service may still charge for is said alone: no sum would be true. */
function priceOf(stopped: Job['tasks'], cancel: Texts['cancel']): string {
  const failed = stopped.filter((task) => task.state === 'failed');
  if (failed.some(({ failure }) => failure.kind === 'left')) return cancel.left;
  const asked = failed.filter(({ failure }) => failure.kind === 'cancelled');
  if (asked.some(({ cost }) => cost === undefined)) return cancel.unknownPrice;
  const credits = asked.reduce((sum, { cost = 0 }) => sum + cost, 0);
  return credits === 0 ? cancel.free : cancel.price(credits);
}

/** For the member whose request a moderator has cancelled; its reply is gone. */
export const renderCancelledByModerator = (job: Job, texts: Texts): Message => ({
  content: texts.cancel.byModerator(
    headline(job, texts),
    priceOf(job.tasks.filter(wasStopped), texts.cancel),
  ),
});
