import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import type { TaskProgress } from '../../jobs/delivery-port.ts';
import type { Job } from '../../jobs/job.ts';
import { textsFor } from '../../messages/locale/texts.ts';
import type { Message } from '../../messages/message.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { ChannelBudgets, EditKind } from '../channel-budget.ts';
import { classifyDiscordError } from '../classify-discord-error.ts';
import type { Outage } from '../outage.ts';
import { tokenClosesAt } from '../reply-access.ts';
import type { ReplyTarget } from '../reply-target.ts';
import type { Sender } from '../send-with-retry.ts';
import { createEditQueue, type EditResult, type ProgressView } from './edit-queue.ts';
import { progressOf, renderHandover, renderProgress } from './render-progress.ts';

/** How long before its token closes a reply says how the picture will come: time for attempts that fail. */
const HANDOVER_MS = 60_000;

/** What a reply says until the outcome is there: how far the job is, and before its token expires, how the picture will come. */
export interface Progress {
  show(job: Job, progress: readonly TaskProgress[]): void;
  /** Nothing further is shown; resolves when no edit is in flight. */
  stop(jobId: string): Promise<void>;
}

export function createProgress({
  clock,
  log,
  metrics,
  channels,
  outage,
  replyOf,
  sendOnce,
}: {
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'progressEdit'>;
  channels: ChannelBudgets;
  outage: Outage;
  /** Undefined where the reply of a job cannot be reached now. */
  replyOf: (job: Job) => ReplyTarget | undefined;
  sendOnce: Sender['sendOnce'];
}): Progress {
  interface Shown {
    job: Job;
    stopped: AbortController;
  }
  const shown = new Map<string, Shown>();
  const edits = createEditQueue({ clock, channels, metrics, send });

  async function send(jobId: string, message: Message, kind: EditKind): Promise<EditResult> {
    const job = shown.get(jobId)?.job;
    const reply = job && replyOf(job);
    if (!reply) return { state: 'closed' };
    if (!outage.admit()) return { state: 'failed', retryAfterMs: outage.comeBackMs() };
    try {
      await sendOnce({ ...reply, send: (edit, signal) => reply.send(edit, signal, kind) }, message);
      return { state: 'sent' };
    } catch (error) {
      log.debug({ err: error, job: jobId }, 'a progress edit failed');
      const failure = classifyDiscordError(error);
      if (failure.kind !== 'temporary') return { state: 'closed' };
      return { state: 'failed', retryAfterMs: failure.retryAfterMs };
    }
  }

  function edit(job: Job, view: ProgressView): void {
    edits.add({ jobId: job.id, channelId: job.channelId, createdAt: job.createdAt }, view);
  }

  const handoverAt = (job: Job) => tokenClosesAt(job) - HANDOVER_MS;

  const showHandover = (job: Job) =>
    edit(job, {
      stage: 'handover',
      key: 'handover',
      urgent: true,
      render: () => renderHandover(job, textsFor(job.member.locale)),
    });

  function showProgress(job: Job, progress: readonly TaskProgress[], now: number): void {
    const seen = progressOf(job, progress, now);
    edit(job, {
      stage: seen.stage,
      key: Object.values(seen).join(),
      render: () => renderProgress(job, seen, textsFor(job.member.locale)),
    });
  }

  /** With a timer for the handover: a service that hangs gives no occasion to show anything. */
  function start(job: Job): Shown {
    const started: Shown = { job, stopped: new AbortController() };
    shown.set(job.id, started);
    channels.join(job.channelId, job.id);
    clock.sleep(Math.max(0, handoverAt(job) - clock.now()), started.stopped.signal).then(
      () => showHandover(started.job),
      () => undefined,
    );
    return started;
  }

  return {
    show(job, progress) {
      const current = shown.get(job.id) ?? start(job);
      current.job = job;
      const now = clock.now();
      if (now >= handoverAt(job)) showHandover(job);
      else showProgress(job, progress, now);
    },
    async stop(jobId) {
      const current = shown.get(jobId);
      if (!current) return;
      current.stopped.abort();
      await edits.close({ jobId, channelId: current.job.channelId });
      shown.delete(jobId);
      channels.leave(current.job.channelId, jobId);
    },
  };
}
