import { type ImageClient, ServiceError } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, type RetryPolicy, retry } from '@darkroom/time';
import type { TaskProgress } from './delivery-port.ts';
import type { IdempotencySupport } from './idempotency.ts';
import { type JobTask, rateLimitKey, type TaskFailure } from './job.ts';
import { type JobWriter, withTask } from './job-writer.ts';
import { RETRY_WAITS } from './poll-timing.ts';
import type { Poller } from './poller.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { reportFailure } from './report-failure.ts';
import type { PolledTask } from './task-poll.ts';
import { expectedAt } from './task-progress.ts';

type QueuedTask = Awaited<ReturnType<ImageClient['submit']>>;

/** How often one task is submitted with the same idempotency key, where the service supports that. */
const MAX_SUBMISSIONS = 6;

export interface RunTaskDependencies {
  images: Pick<ImageClient, 'submit' | 'cancel'>;
  /** The name of the image service. A task that was submitted under another name is lost here. */
  service: string;
  idempotency: IdempotencySupport;
  poller: Poller;
  rateLimiter: RateLimiter;
  clock: Clock;
  log: Log;
  random: () => number;
}

export interface RunTaskOptions {
  apiKey: string | undefined;
  observe(seen: Partial<TaskProgress>): void;
  /** The process is stopping: what is not over stays in the row for the next one. */
  stopping: AbortSignal;
  /** The process has been stopping for so long that submissions are no longer waited for. */
  forceAbort: AbortSignal;
  /** The member no longer wants it: what is not over fails as `cancelled`, `left` or `withdrawn`. */
  cancelled: AbortSignal;
}

/**
 * Takes one task of a job from wherever its row says it is to `completed` or `failed`. Rejects only with the reason of
 * `stopping`.
 */
export async function runTask(
  writer: JobWriter,
  index: number,
  { apiKey, observe, stopping, forceAbort, cancelled }: RunTaskOptions,
  { images, service, idempotency, poller, rateLimiter, clock, log, random }: RunTaskDependencies,
): Promise<void> {
  const key = rateLimitKey(writer.current());
  const signal = AbortSignal.any([stopping, cancelled]);

  /**
   * Submits the task, and again with the same key where the service supports that. `submitting`: an attempt of an earlier
   * run may have been accepted, which no later failure disproves.
   */
  async function submit(
    task: JobTask & { state: 'planned' | 'submitting' },
    apiKey: string,
  ): Promise<JobTask> {
    const { seed, idempotencyKey } = task;
    let idempotencySupported = false;
    let mayBeAccepted = task.state === 'submitting';
    let lastError: unknown;

    async function send(): Promise<QueuedTask> {
      const submitting: JobTask = {
        state: 'submitting',
        seed,
        idempotencyKey,
        service,
        idempotencySupported,
      };
      await writer.write(withTask(index, submitting));
      const submission = { ...writer.current().submission, seed };
      return images.submit(submission, { apiKey, idempotencyKey, signal: forceAbort });
    }

    async function attempt(): Promise<QueuedTask> {
      // Another response may have shown since that the service does not support idempotency keys.
      if (lastError !== undefined && !idempotency.isSupported()) throw lastError;
      idempotencySupported = idempotency.isSupported();
      try {
        return await rateLimiter.run(key, 'submit', send, { signal });
      } catch (error) {
        lastError = error;
        mayBeAccepted ||= error instanceof ServiceError && error.unclear;
        throw error;
      }
    }

    const policy: RetryPolicy = {
      ...RETRY_WAITS,
      maxAttempts: MAX_SUBMISSIONS,
      budgetMs: writer.current().deadlineAt - clock.now(),
      isRetryable: (error) =>
        mayBeAccepted &&
        idempotencySupported &&
        idempotency.isSupported() &&
        error instanceof ServiceError &&
        error.retryable,
    };
    const onRetry = (error: unknown) =>
      observe({ trouble: error instanceof ServiceError ? error.kind : undefined });
    try {
      const { taskId, cost } = await retry(attempt, { policy, clock, random, signal, onRetry });
      log.info({ job: writer.current().id, taskId }, 'the image service has accepted a task');
      const acceptedAt = clock.now();
      return { state: 'following', seed, idempotencyKey, service, taskId, acceptedAt, ...told(cost) };
    } catch (error) {
      // An answer that came while stopping is written down like any other.
      if (!(error instanceof ServiceError)) stopping.throwIfAborted();
      if (cancelled.aborted) return failTask(task, { kind: mayBeAccepted ? 'left' : 'withdrawn' });
      const failure = reportFailure(error, log, { job: writer.current().id });
      return failTask(task, mayBeAccepted ? { ...failure, kind: 'unclear' } : failure);
    }
  }

  async function follow(task: JobTask & { state: 'following' }, apiKey: string): Promise<JobTask> {
    const { taskId, acceptedAt } = task;
    const { deadlineAt } = writer.current();
    let expected: number | undefined;
    const followed: PolledTask = {
      taskId,
      apiKey,
      acceptedAt,
      deadlineAt,
      onAnswer({ state, progress: percent, queuePosition: position, etaSeconds }) {
        const begun = state !== 'pending';
        const queuePosition = begun ? undefined : position;
        expected = expectedAt(expected, etaSeconds, clock.now());
        observe({ begun, percent, queuePosition, expectedAt: expected });
      },
      onTrouble: (error) => observe({ trouble: error.kind }),
    };
    const result = await poller.follow(key, followed, signal).catch((reason: unknown) => {
      if (stopping.aborted || !cancelled.aborted) throw reason;
      return { state: 'cancelled' as const };
    });
    switch (result.state) {
      case 'cancelled':
        return failTask(task, { kind: (await endAtService(taskId, apiKey)) ? 'cancelled' : 'left' });
      case 'completed':
        return {
          ...task,
          state: 'completed',
          imageUrl: result.imageUrl,
          ...told(result.cost),
          ...(result.expiresAt && { expiresAt: result.expiresAt.getTime() }),
          completedAt: clock.now(),
        };
      case 'failed':
        return failTask(task, { kind: 'task-failed', reason: result.task.reason });
      case 'timed-out':
        return failTask(task, { kind: 'timed-out' });
      case 'error':
        return failTask(task, reportFailure(result.error, log, { job: writer.current().id }));
    }
  }

  /** Whether the service has ended the task for certain; few services can. */
  async function endAtService(taskId: string, apiKey: string): Promise<boolean> {
    try {
      return (await images.cancel(taskId, { apiKey, signal: forceAbort })).state === 'failed';
    } catch (error) {
      log.info(
        { err: error, job: writer.current().id, taskId },
        'the image service did not end a task that was cancelled',
      );
      return false;
    }
  }

  /** At a service that this process does not know. An absolute address of a picture still leads there. */
  const isElsewhere = (task: JobTask): boolean =>
    'service' in task &&
    task.service !== undefined &&
    task.service !== service &&
    !(task.state === 'completed' && URL.canParse(task.imageUrl));

  /** What becomes of a task in one step; undefined once it has ended. */
  function step(task: JobTask): Promise<JobTask> | JobTask | undefined {
    if (isElsewhere(task)) return failTask(task, { kind: 'moved' });
    if (task.state === 'completed' || task.state === 'failed') return undefined;
    if (apiKey === undefined) return failTask(task, { kind: 'no-key' });
    if (task.state === 'following') return follow(task, apiKey);
    const late = clock.now() >= writer.current().deadlineAt;
    if (task.state === 'planned') return late ? failTask(task, { kind: 'restarted' }) : submit(task, apiKey);
    // The submission may have been accepted. Repeat it only if the service supported the key when it was sent and supports
    // it now, and before the service forgets the key.
    const repeatable = task.idempotencySupported && idempotency.isSupported();
    return late || !repeatable ? failTask(task, { kind: 'unclear' }) : submit(task, apiKey);
  }

  for (let task = writer.current().tasks[index]; task; task = writer.current().tasks[index]) {
    const next = await step(task);
    if (!next) return;
    await writer.tryWrite(withTask(index, next));
    await idempotency.save();
  }
}

/** What a task costs, where the service has said so in a number that can be one. */
const told = (cost: number | undefined) => (cost !== undefined && cost >= 0 ? { cost } : {});

/** `task` as it stands in its row once it has come to nothing. */
export const failTask = (task: JobTask, failure: TaskFailure): JobTask => ({
  state: 'failed',
  seed: task.seed,
  idempotencyKey: task.idempotencyKey,
  failure,
  ...('taskId' in task && task.taskId !== undefined && { taskId: task.taskId }),
});
