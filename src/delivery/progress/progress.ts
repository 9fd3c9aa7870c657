import type { Log } from '@darkroom/process';
import { type Clock, createTimetable } from '@darkroom/time';
import type { FetchPreview, NoteLate } from '../../jobs/delivery-port.ts';
import { type Job, LATE_EDIT_MS } from '../../jobs/job.ts';
import type { TaskProgress } from '../../jobs/task-progress.ts';
import { textsFor } from '../../messages/locale/texts.ts';
import type { Message } from '../../messages/message.ts';
import type { OfferedSteps } from '../../messages/next-steps.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { ChannelBudgets, EditKind } from '../channel-budget.ts';
import { classifyDiscordError, type DiscordFailure } from '../classify-discord-error.ts';
import type { Outage } from '../outage.ts';
import { promptText } from '../prompt-text.ts';
import { tokenClosesAt } from '../reply-access.ts';
import type { ReplyTarget } from '../reply-target.ts';
import type { Sender } from '../sender.ts';
import { createEditQueue, type EditResult } from './edit-queue.ts';
import { createPreviews, type JobPreviews, type PreviewFiles } from './previews.ts';
import {
  type JobProgress,
  jobProgressOf,
  renderHandover,
  renderProgress,
  timeLeft,
} from './render-progress.ts';

const NO_PREVIEWS: PreviewFiles = { files: {}, changed: false };

/** How long before its token closes a reply says how the picture will come: time for attempts that fail. */
const HANDOVER_MS = 60_000;

/** How exactly the moment of a handover is kept, in milliseconds. */
const HANDOVER_TICK_MS = 1_000;

/** How Discord refuses an edit that it may take without its files. */
const REFUSED: ReadonlySet<DiscordFailure['kind']> = new Set(['too-large', 'refused']);

/**
 * What a reply says until the outcome is there: how far the job is, and before its token expires, how the picture
 * will come.
 */
export function createProgress({
  clock,
  log,
  metrics,
  channels,
  outage,
  replyOf,
  sendOnce,
  fetchPreview,
  nextSteps,
}: {
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'progressEdit'>;
  channels: ChannelBudgets;
  outage: Outage;
  /** Undefined where the reply of a job cannot be reached now. */
  replyOf: (job: Job) => Pick<ReplyTarget, 'send'> | undefined;
  sendOnce: Sender['sendOnce'];
  fetchPreview: FetchPreview;
  nextSteps: OfferedSteps;
}) {
  interface Shown {
    job: Job;
    /** Undefined until the service offers one. */
    previews?: JobPreviews;
    /** The latest progress of its tasks, and what the reply is to say of it. */
    progress: readonly TaskProgress[];
    jobProgress?: JobProgress;
    /** The stage that was rendered last, sent or not, and the text that its reply shows. */
    stage: string;
    text?: string | undefined;
    /** Until when an edit that was given up may still be carried out, in milliseconds since the epoch. */
    lateUntil: number;
    noteLate: NoteLate;
  }
  const previewsOf = createPreviews({ fetchPreview, clock });
  const shown = new Map<string, Shown>();
  const edits = createEditQueue({ clock, channels, metrics, send });

  async function send(jobId: string, message: Message, kind: EditKind): Promise<EditResult> {
    const current = shown.get(jobId);
    const reply = current && replyOf(current.job);
    if (!reply) return { state: 'closed' };
    if (!outage.admit()) return { state: 'failed', retryAfterMs: outage.comeBackMs() };
    const { previews } = current;
    const leftAt = clock.now();
    try {
      const edited = await sendOnce(message, (within) => reply.send(message, within, kind));
      previews?.sent(edited.files);
      current.text = message.content;
      return { state: 'sent' };
    } catch (error) {
      log.debug({ err: error, job: jobId }, 'a progress edit failed');
      const failure = classifyDiscordError(error);
      if (failure.kind === 'temporary' && failure.mayHaveArrived) {
        current.lateUntil = leftAt + LATE_EDIT_MS;
        await current.noteLate(current.lateUntil);
      }
      const refused = message.files?.length ? REFUSED.has(failure.kind) : false;
      previews?.failed({ refused });
      if (refused) return { state: 'failed', retryAfterMs: 0 };
      if (failure.kind !== 'temporary') return { state: 'closed' };
      return { state: 'failed', retryAfterMs: failure.retryAfterMs };
    }
  }

  const handoverAt = (job: Job) => tokenClosesAt(job) - HANDOVER_MS;

  /** A service that hangs gives no occasion to show anything. */
  const handovers = createTimetable<Shown>({
    clock,
    tickMs: HANDOVER_TICK_MS,
    attend: ({ job }) => showHandover(job),
  });

  const showHandover = (job: Job) =>
    edits.add(job, {
      stage: 'handover',
      key: 'handover',
      urgent: true,
      render: () => renderHandover(job, textsFor(job.member.locale), nextSteps),
    });

  function showProgress(current: Shown, now: number): void {
    const { job, progress } = current;
    const jobProgress = jobProgressOf(job, progress, now);
    const { stage, key } = jobProgress;
    current.jobProgress = jobProgress;
    edits.add(job, { stage, key, render: (signal) => render(current, jobProgress, progress, signal) });
  }

  /** Undefined where neither words nor pictures have changed. */
  function render(
    current: Shown,
    jobProgress: JobProgress,
    progress: readonly TaskProgress[],
    signal: AbortSignal,
  ): Message | undefined | Promise<Message | undefined> {
    const { job, stage } = current;
    const texts = textsFor(job.member.locale);
    const message = renderProgress(job, jobProgress, texts, nextSteps);
    const withPreviews = ({ files, changed }: PreviewFiles) =>
      message.content === current.text && !changed ? undefined : { ...message, ...files };
    current.stage = jobProgress.stage;
    if (progress.some(({ previewUrl }) => previewUrl !== undefined)) current.previews ??= previewsOf();
    const next = current.previews?.next(job, progress, {
      kind: stage === jobProgress.stage ? 'progress' : 'stage',
      alt: (task) => texts.progress.preview(promptText(job, texts, task)),
      signal,
    });
    return next instanceof Promise ? next.then(withPreviews) : withPreviews(next ?? NO_PREVIEWS);
  }

  function start(job: Job, noteLate: NoteLate): Shown {
    const started: Shown = { job, progress: [], stage: '', lateUntil: 0, noteLate };
    shown.set(job.id, started);
    channels.join(job.channelId, job.id);
    handovers.set(started, handoverAt(job));
    return started;
  }

  return {
    show(job: Job, progress: readonly TaskProgress[], noteLate: NoteLate): void {
      const current = shown.get(job.id) ?? start(job, noteLate);
      const now = clock.now();
      const isNew = job !== current.job || progress !== current.progress;
      current.job = job;
      current.progress = progress;
      if (now >= handoverAt(job)) showHandover(job);
      // An estimate comes nearer without anything new.
      else if (isNew || current.jobProgress?.secondsLeft !== timeLeft(job, progress, now))
        showProgress(current, now);
    },
    /**
     * Nothing further is shown. Resolves when no edit is in flight. For so many milliseconds an edit that was given up
     * may still overwrite what comes after it; 0 where there is none.
     */
    async stop(jobId: string): Promise<number> {
      const current = shown.get(jobId);
      if (!current) return 0;
      handovers.set(current, Number.POSITIVE_INFINITY);
      await edits.close(current.job);
      shown.delete(jobId);
      channels.leave(current.job.channelId, jobId);
      return Math.min(Math.max(0, current.lateUntil - clock.now()), LATE_EDIT_MS);
    },
  };
}
