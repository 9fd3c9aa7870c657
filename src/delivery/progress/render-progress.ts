import { TimestampStyles, time } from 'discord.js';
import type { Job } from '../../jobs/job.ts';
import { hasEnded, type JobTask } from '../../jobs/job-task.ts';
import type { TaskProgress } from '../../jobs/task-progress.ts';
import { rowsOf } from '../../messages/buttons.ts';
import type { Texts } from '../../messages/locale/en.ts';
import type { Message } from '../../messages/message.ts';
import type { OfferedSteps } from '../../messages/next-steps.ts';
import { relativeTime } from '../../messages/relative-time.ts';
import { headline } from '../prompt-text.ts';

/** As many as leave room for stage and time in one line of a phone that is 360 pixels wide. */
const BAR_CELLS = 5;

/** `percent` from 0 to 100 as a bar that screen readers pass over quickly. */
const bar = (percent: number): string => {
  const filled = Math.round((percent / 100) * BAR_CELLS);
  return `\`${'▰'.repeat(filled)}${'▱'.repeat(BAR_CELLS - filled)}\``;
};

export const progressBar = (percent: number): string => `${bar(percent)} ${Math.floor(percent)} %`;

interface ShownTask {
  state:
    | 'submitting'
    | 'awaitingTurn'
    | 'engineUnavailable'
    | 'queued'
    | 'developing'
    | 'finished'
    | 'failed';
  /** Whole, from 0 to 100. */
  percent: number;
  /** Among those that wait for a turn, or in the service's own queue. */
  position: number | undefined;
}

/** How far a job is: two that have the same key are shown in the same words. */
export interface JobProgress {
  key: string;
  /**
   * `submitting`, `awaitingTurn`, `queued` and `developing` as its furthest picture is; `engineUnavailable`: the
   * service has nothing that could draw it; `retrying`: it does not answer; `fetching`: all have ended, and a picture
   * cannot be fetched yet; else `delivering`.
   */
  stage: Exclude<ShownTask['state'], 'finished' | 'failed'> | 'retrying' | 'fetching' | 'delivering';
  tasks: readonly ShownTask[];
  /** About how long the last picture takes, in seconds, where that can be said. */
  secondsLeft: number | undefined;
  /** Until when a picture is tried to be fetched. */
  fetchedUntil: number | undefined;
}

export function jobProgressOf(job: Job, progress: readonly TaskProgress[], now: number): JobProgress {
  const stage = stageOf(job, progress);
  const tasks = job.tasks.map((task, index) => shownTask(task, progress[index], stage));
  const secondsLeft = timeLeft(job, progress, now);
  const fetchedUntil = progress.find((seen) => seen.fetchedUntil !== undefined)?.fetchedUntil;
  const key = [
    stage,
    secondsLeft,
    fetchedUntil,
    ...tasks.flatMap(({ state, percent, position }) => [state, percent, position]),
    ...progress.flatMap(({ previewUrl, flagged }) => [previewUrl, flagged]),
  ].join();
  return { key, stage, tasks, secondsLeft, fetchedUntil };
}

/** How far a job is, in one line that, in small print, does not wrap on a phone. */
export function progressLine(
  job: Job,
  { stage, tasks, secondsLeft, fetchedUntil }: JobProgress,
  { progress }: Texts,
): string {
  const [first] = tasks;
  const single = tasks.length === 1 ? first : undefined;
  const showsBar = single && (stage === 'developing' || stage === 'delivering');
  const isTimed =
    stage === 'awaitingTurn' || stage === 'engineUnavailable' || stage === 'queued' || stage === 'developing';
  const times = secondsLeft === undefined ? timeSoFar(job) : progress.left(duration(secondsLeft, progress));
  return [
    ...(showsBar ? [progressBar(single.percent)] : []),
    stage === 'fetching'
      ? progress.fetching(fetchedUntil === undefined ? undefined : clockTime(fetchedUntil))
      : stageText(stage, tasks, progress),
    ...(isTimed ? [times] : []),
  ].join(' · ');
}

/** A span of time, rounded as one likes to read it. */
export const duration = (seconds: number, texts: Texts['progress']): string =>
  seconds < 90 ? texts.seconds(Math.round(seconds)) : texts.minutes(Math.round(seconds / 60));

/** The prompt, and under it how far it is; of several pictures a line for each, once they are not all the same. */
export function renderProgress(
  job: Job,
  progress: JobProgress,
  texts: Texts,
  nextSteps: OfferedSteps,
): Message {
  const { tasks } = progress;
  const lines =
    tasks.length === 1 || isSame(tasks)
      ? []
      : tasks.map((task, nth) => `**${nth + 1}** ${taskText(task, texts.progress)}`);
  return {
    content: [
      `**${headline(job, texts)}**`,
      ...[progressLine(job, progress, texts), ...lines].map((line) => `-# ${line}`),
    ].join('\n'),
    rows: cancelRow(job, texts, nextSteps),
  };
}

/** What stays in a reply that may soon be out of reach: how the picture will come, which holds whatever happens. */
export function renderHandover(job: Job, texts: Texts, nextSteps: OfferedSteps): Message {
  const { slow, slowPrivate } = texts.handover;
  const how = job.private || job.away ? slowPrivate : slow;
  return {
    content: `**${headline(job, texts)}**\n${how} · ${texts.handover.asked(timeSoFar(job))}`,
    rows: cancelRow(job, texts, nextSteps),
  };
}

const cancelRow = (job: Job, texts: Texts, nextSteps: OfferedSteps) =>
  rowsOf(job.tasks.every(hasEnded) ? undefined : nextSteps.cancel?.(job.id, texts));

/** How long ago a job was asked for by Discord's clock, which keeps that up to date by itself. */
const timeSoFar = ({ createdAt, reply: { aheadMs = 0 } }: Job): string => relativeTime(createdAt - aheadMs);

/** The time of day, in the format of each reader. */
const clockTime = (ms: number): string => time(new Date(ms), TimestampStyles.ShortTime);

function stageOf({ tasks }: Job, progress: readonly TaskProgress[]): JobProgress['stage'] {
  if (tasks.every(hasEnded)) {
    return progress.some(({ fetchedUntil }) => fetchedUntil !== undefined) ? 'fetching' : 'delivering';
  }
  if (tasks.some((task, index) => !hasEnded(task) && progress[index]?.trouble)) return 'retrying';
  if (tasks.some(hasEnded) || progress.some(isDeveloping)) return 'developing';
  if (tasks.some((task) => task.state === 'following')) return 'queued';
  // Also while it is asked for again, which it mostly is in vain.
  if (progress.some(({ engineUnavailable }) => engineUnavailable)) return 'engineUnavailable';
  return progress.every(({ turnPosition }) => turnPosition === undefined) ? 'submitting' : 'awaitingTurn';
}

/** Whether somebody draws it: what waits for machines elsewhere is still queued. */
const isDeveloping = ({ begun, queuePosition }: TaskProgress): boolean =>
  begun && queuePosition === undefined;

function shownTask(task: JobTask, seen: TaskProgress | undefined, stage: JobProgress['stage']): ShownTask {
  if (task.state === 'completed') return { state: 'finished', percent: 100, position: undefined };
  if (task.state === 'failed') return { state: 'failed', percent: 100, position: undefined };
  const percent = seen?.percent ?? 0;
  if (seen && isDeveloping(seen)) return { state: 'developing', percent, position: undefined };
  if (task.state === 'following') return { state: 'queued', percent, position: seen?.queuePosition };
  if (stage === 'engineUnavailable') return { state: stage, percent, position: undefined };
  if (seen?.turnPosition === undefined) return { state: 'submitting', percent, position: undefined };
  return { state: 'awaitingTurn', percent, position: seen.turnPosition };
}

/** Whether a line for each would only repeat the first one. */
const isSame = (tasks: readonly ShownTask[]): boolean =>
  tasks.every(({ state }) => state === tasks[0]?.state && state !== 'developing' && state !== 'finished');

function stageText(
  stage: Exclude<JobProgress['stage'], 'fetching'>,
  tasks: readonly ShownTask[],
  texts: Texts['progress'],
): string {
  const positions = tasks.flatMap(({ state, position }) =>
    state === stage && position !== undefined ? [position] : [],
  );
  const position = positions.length > 0 ? Math.min(...positions) : undefined;
  return stage === 'awaitingTurn' || stage === 'queued' ? texts[stage](position) : texts[stage];
}

function taskText({ state, percent, position }: ShownTask, texts: Texts['progress']): string {
  switch (state) {
    case 'developing':
      return progressBar(percent);
    case 'awaitingTurn':
    case 'queued':
      return texts[state](position);
    case 'finished':
      return `${bar(100)} ${texts.finished}`;
    default:
      return texts[state];
  }
}

/** How long an estimate that has passed is still taken for nearly true, in milliseconds: the time of an edit. */
const OVERDUE_MS = 3_000;

/**
 * In how many seconds the last picture is expected, so roughly that it changes only now and then. Undefined where a
 * task has no estimate that holds, where that has passed, or where it lies beyond the job's deadline.
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
