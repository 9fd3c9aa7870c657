import type { ImageClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { TaskProgress } from './delivery.ts';
import { expectedAt } from './estimate.ts';
import { failureOf } from './failure.ts';
import type { IdempotencyMemory } from './idempotency.ts';
import { type Failure, type JobTask, paceKey } from './job.ts';
import { type JobRow, withTask } from './job-row.ts';
import type { Pace } from './pace.ts';
import { waitAfterFailure } from './poll-wait.ts';
import type { Poller } from './poller.ts';
import type { Followed } from './watch.ts';

/** How often a submission is repeated with the same idempotency key, where the service honours that. */
const RESUBMISSIONS = 5;

export interface TaskRunDependencies {
  images: Pick<ImageClient, 'submit' | 'cancel'>;
  /** The name of the image service. A task that was submitted under another name is lost here. */
  service: string;
  idempotency: IdempotencyMemory;
  poller: Poller;
  pace: Pace;
  clock: Clock;
  log: Log;
  random: () => number;
}

export interface TaskRun {
  apiKey: string | undefined;
  observe(seen: Partial<TaskProgress>): void;
  /** The process is stopping: what is not over stays in the row for the next one. */
  stopping: AbortSignal;
  /** The process has been stopping for so long that submissions are no longer waited for. */
  hangUp: AbortSignal;
  /** The member no longer wants it: what is not over fails as `cancelled`, `left` or `withdrawn`. */
  cancelled: AbortSignal;
}

/**
 * Takes one task of a job from wherever its row says it is to `completed` or `failed`. Rejects only with the reason of
 * `stopping`.
 */
export async function runTask(
  row: JobRow,
  index: number,
  { apiKey, observe, stopping, hangUp, cancelled }: TaskRun,
  { images, service, idempotency, poller, pace, clock, log, random }: TaskRunDependencies,
): Promise<void> {
  const key = paceKey(row.current());
  const signal = AbortSignal.any([stopping, cancelled]);

  let attempt = 0;

  /**
   * `task`: `submitting` where an earlier attempt may have been accepted, which no later failure disproves. Resolves with
   * a task that is `submitting` where another attempt may be worth it, after the wait for it.
   */
  async function submit(task: JobTask, apiKey: string): Promise<JobTask> {
    const { seed, idempotencyKey } = task;
    const honoured = idempotency.honoured();
    const submitting: JobTask = { state: 'submitting', seed, idempotencyKey, service, honoured };
    attempt += 1;
    const send = async () => {
      await row.commit(withTask(index, submitting));
      const options = { apiKey, idempotencyKey, signal: hangUp };
      return images.submit({ ...row.current().submission, seed }, options);
    };
    try {
      const { taskId } = await pace.run(key, 'submit', send, { signal });
      return { state: 'following', seed, idempotencyKey, service, taskId, acceptedAt: clock.now() };
    } catch (error) {
      // An answer that came while stopping is written down like any other.
      if (!(error instanceof ServiceError)) stopping.throwIfAborted();
      const unclear = task.state === 'submitting' || (error instanceof ServiceError && error.unclear);
      if (cancelled.aborted) return failed(task, { kind: unclear ? 'left' : 'withdrawn' });
      const passing = error instanceof ServiceError && error.retryable;
      if (unclear && passing && honoured && attempt <= RESUBMISSIONS) {
        const wait = waitAfterFailure(error, attempt, random());
        if (clock.now() + wait < row.current().deadlineAt) {
          observe({ trouble: error.kind });
          // Cut short, the next attempt ends before it begins.
          await clock.sleep(wait, signal).catch(() => undefined);
          return submitting;
        }
      }
      const failure = failureOf(error, log, { job: row.current().id });
      return failed(task, unclear ? { ...failure, kind: 'unclear' } : failure);
    }
  }

  async function follow(task: JobTask & { state: 'following' }, apiKey: string): Promise<JobTask> {
    const { taskId, acceptedAt } = task;
    const { deadlineAt } = row.current();
    let expected: number | undefined;
    const followed: Followed = {
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
    const ending = await poller.follow(key, followed, signal).catch((reason: unknown) => {
      if (stopping.aborted || !cancelled.aborted) throw reason;
      return { state: 'cancelled' as const };
    });
    switch (ending.state) {
      case 'cancelled':
        return failed(task, { kind: (await endAtService(taskId, apiKey)) ? 'cancelled' : 'left' });
      case 'completed':
        return {
          ...task,
          state: 'completed',
          imageUrl: ending.imageUrl,
          ...(ending.expiresAt && { expiresAt: ending.expiresAt.getTime() }),
          completedAt: clock.now(),
        };
      case 'failed':
        return failed(task, { kind: 'task-failed', reason: ending.task.reason });
      case 'timed-out':
        return failed(task, { kind: 'timed-out' });
      case 'gone':
        return failed(task, failureOf(ending.error, log, { job: row.current().id }));
    }
  }

  /** Whether the service has ended the task for certain; few services can. */
  async function endAtService(taskId: string, apiKey: string): Promise<boolean> {
    try {
      return (await images.cancel(taskId, { apiKey, signal: hangUp })).state === 'failed';
    } catch (error) {
      log.info(
        { err: error, job: row.current().id, taskId },
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
    if (isElsewhere(task)) return failed(task, { kind: 'moved' });
    if (task.state === 'completed' || task.state === 'failed') return undefined;
    if (apiKey === undefined) return failed(task, { kind: 'no-key' });
    if (task.state === 'following') return follow(task, apiKey);
    const late = clock.now() >= row.current().deadlineAt;
    if (task.state === 'planned') return late ? failed(task, { kind: 'restarted' }) : submit(task, apiKey);
    // Nobody knows whether it was accepted. Only where the service said before it left, and says now, that it honours the
    // key is it safe to ask again, and not for ever: it forgets the key.
    const repeatable = task.honoured && idempotency.honoured();
    return late || !repeatable ? failed(task, { kind: 'unclear' }) : submit(task, apiKey);
  }

  for (let task = row.current().tasks[index]; task; task = row.current().tasks[index]) {
    const next = await step(task);
    if (!next) return;
    await row.note(withTask(index, next));
    await idempotency.remember();
  }
}

/** `task` as it stands in its row once it has come to nothing. */
export const failed = (task: JobTask, failure: Failure): JobTask => ({
  state: 'failed',
  seed: task.seed,
  idempotencyKey: task.idempotencyKey,
  failure,
  ...('taskId' in task && task.taskId !== undefined && { taskId: task.taskId }),
});
