import { TimestampStyles, time } from 'discord.js';
import type { TaskProgress } from '../../jobs/delivery-port.ts';
import { hasEnded, type Job } from '../../jobs/job.ts';
import type { Texts } from '../../messages/locale/en.ts';
import type { Message } from '../../messages/message.ts';
import { headline } from '../prompt-text.ts';
import { editIntervalMs } from './edit-pace.ts';

const BAR_CELLS = 12;

/** `percent` from 0 to 100 as a bar that screen readers pass over quickly, with the number beside it. */
export function progressBar(percent: number): string {
  const filled = Math.round((percent / 100) * BAR_CELLS);
  return `\`${'▰'.repeat(filled)}${'▱'.repeat(BAR_CELLS - filled)}\` ${Math.floor(percent)} %`;
}

/** How far a job is: one line with the prompt, one with the progress, and nothing that changes by itself but Discord's own clock. */
export function renderProgress(
  job: Job,
  progress: readonly TaskProgress[],
  texts: Texts,
  now: number,
): Message {
  const details = [
    `${progressBar(percentOf(job, progress))} · ${stageOf(job, progress, texts)}`,
    ...expected(job, progress, texts, now),
    started(job, texts),
  ];
  return { content: `**${headline(job, texts)}**\n${details.join(' · ')}` };
}

/** What stays in a reply that may soon be out of reach: how the picture will come. True until it does, whatever happens. */
export function renderHandover(job: Job, texts: Texts): Message {
  const { slow, slowPrivate } = texts.handover;
  const how = job.private ? slowPrivate : slow;
  return { content: `**${headline(job, texts)}**\n${how} · ${started(job, texts)}` };
}

/** A moment that Discord shows by its distance from now, and keeps up to date without an edit. */
const moment = (ms: number): string => time(new Date(ms), TimestampStyles.RelativeTime);

const started = ({ createdAt }: Job, texts: Texts): string => texts.progress.started(moment(createdAt));

/**
 * When the last picture is expected; nothing where a task has no estimate that holds, where it would be past before
 * the next edit, or where the job is not followed for so long.
 */
function expected(
  { createdAt, deadlineAt, tasks }: Job,
  progress: readonly TaskProgress[],
  texts: Texts,
  now: number,
): string[] {
  const moments = progress
    .filter((_, index) => tasks[index] && !hasEnded(tasks[index]))
    .map(({ expectedAt, trouble }) => (trouble ? undefined : expectedAt) ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...moments);
  const shown = last > now + editIntervalMs(now - createdAt) && last <= deadlineAt;
  return shown ? [texts.progress.expected(moment(last))] : [];
}

function percentOf({ tasks }: Job, progress: readonly TaskProgress[]): number {
  const percents = tasks.map((task, index) => (hasEnded(task) ? 100 : (progress[index]?.percent ?? 0)));
  return percents.reduce((sum, percent) => sum + percent, 0) / percents.length;
}

function stageOf({ tasks }: Job, progress: readonly TaskProgress[], texts: Texts): string {
  const { submitting, queued, developing, severalDone, delivering, retrying } = texts.progress;
  const done = tasks.filter(hasEnded).length;
  if (done === tasks.length) return delivering;
  if (tasks.some((task, index) => !hasEnded(task) && progress[index]?.trouble)) return retrying;
  if (done > 0) return severalDone(done, tasks.length);
  if (progress.some(({ begun }) => begun)) return developing;
  if (!tasks.some((task) => task.state === 'following')) return submitting;
  return queued(progress.find((seen) => seen.queuePosition !== undefined)?.queuePosition);
}
