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

/** How far a job is, in numbers: two that are the same are shown in the same words. */
export interface JobProgress {
  /**
   * `submitting`, `waiting` for a turn, `queued` and `developing` as long as nothing has come out; `several`: some have; `retrying`: the service
   * does not answer; `fetching`: all have ended, and a picture cannot be fetched yet; else `delivering`.
   */
  stage:
    | 'submitting'
    | 'waiting'
    | 'queued'
    | 'developing'
    | 'several'
    | 'retrying'
    | 'fetching'
    | 'delivering';
  /** Whole, from 0 to 100. */
  percent: number;
  /** How many tasks have ended. */
  done: number;
  /** Among those that wait for a turn, and in the service's own queue. */
  place: number | undefined;
  queuePosition: number | undefined;
  /** When the last picture is expected, in milliseconds since the epoch, where that can be said. */
  expectedAt: number | undefined;
  /** Until when a picture is tried to be fetched. */
  fetchedUntil: number | undefined;
}

export function progressOf(job: Job, progress: readonly TaskProgress[], now: number): JobProgress {
  const { tasks } = job;
  const stage = stageOf(job, progress);
  const percents = tasks.map((task, index) => (hasEnded(task) ? 100 : (progress[index]?.percent ?? 0)));
  return {
    stage,
    percent: Math.floor(percents.reduce((sum, percent) => sum + percent, 0) / percents.length),
    done: tasks.filter(hasEnded).length,
    place: stage === 'waiting' ? placeIn(progress) : undefined,
    queuePosition: progress.find((seen) => seen.queuePosition !== undefined)?.queuePosition,
    expectedAt: expectedAt(job, progress, now),
    fetchedUntil: progress.find((seen) => seen.fetchedUntil !== undefined)?.fetchedUntil,
  };
}

/** One line with the prompt, one with the progress, and nothing that changes by itself but Discord's own clock. */
export function renderProgress(job: Job, progress: JobProgress, texts: Texts): Message {
  const details = [
    `${progressBar(progress.percent)} · ${stageText(job, progress, texts)}`,
    ...(progress.expectedAt === undefined ? [] : [texts.progress.expected(moment(progress.expectedAt))]),
    started(job, texts),
  ];
  return { content: `**${headline(job, texts)}**\n${details.join(' · ')}` };
}

/** What stays in a reply that may soon be out of reach: how the picture will come. True until it does, whatever happens. */
export function renderHandover(job: Job, texts: Texts): Message {
  const { slow, slowPrivate } = texts.handover;
  const how = job.private || job.away ? slowPrivate : slow;
  return { content: `**${headline(job, texts)}**\n${how} · ${started(job, texts)}` };
}

/** A moment that Discord shows by its distance from now, and keeps up to date without an edit. */
const moment = (ms: number): string => time(new Date(ms), TimestampStyles.RelativeTime);

const started = ({ createdAt }: Job, texts: Texts): string => texts.progress.started(moment(createdAt));

/**
 * When the last picture is expected; undefined where a task has no estimate that holds, where it would be past before
 * the next edit, or where the job is not followed for so long.
 */
function expectedAt(
  { createdAt, deadlineAt, tasks }: Job,
  progress: readonly TaskProgress[],
  now: number,
): number | undefined {
  const moments = progress
    .filter((_, index) => tasks[index] && !hasEnded(tasks[index]))
    .map(({ expectedAt, trouble }) => (trouble ? undefined : expectedAt) ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...moments);
  return last > now + editIntervalMs(now - createdAt) && last <= deadlineAt ? last : undefined;
}

function stageOf({ tasks }: Job, progress: readonly TaskProgress[]): JobProgress['stage'] {
  if (tasks.every(hasEnded)) {
    return progress.some(({ fetchedUntil }) => fetchedUntil !== undefined) ? 'fetching' : 'delivering';
  }
  if (tasks.some((task, index) => !hasEnded(task) && progress[index]?.trouble)) return 'retrying';
  if (tasks.some(hasEnded)) return 'several';
  if (progress.some(({ begun }) => begun)) return 'developing';
  if (tasks.some((task) => task.state === 'following')) return 'queued';
  return placeIn(progress) === undefined ? 'submitting' : 'waiting';
}

const placeIn = (progress: readonly TaskProgress[]): number | undefined =>
  progress.find(({ place }) => place !== undefined)?.place;

function stageText({ tasks }: Job, progress: JobProgress, { progress: texts }: Texts): string {
  const { stage, done, place, queuePosition, fetchedUntil } = progress;
  switch (stage) {
    case 'waiting':
      return texts.waiting(place);
    case 'queued':
      return texts.queued(queuePosition);
    case 'several':
      return texts.severalDone(done, tasks.length);
    case 'fetching':
      return texts.fetching(fetchedUntil === undefined ? undefined : moment(fetchedUntil));
    default:
      return texts[stage];
  }
}
