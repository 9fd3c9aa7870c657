import type { ImageClient, Task } from '@darkroom/image-api';
import { withTimeout } from '@darkroom/time';
import type { TaskProgress } from './delivery-port.ts';
import { hasEnded, type JobTask, rateLimitKey } from './job.ts';
import { DEADLINE_MS } from './job-request.ts';
import type { JobWriter } from './job-writer.ts';
import type { HeldTurn } from './key-turns.ts';
import type { Poller } from './poller.ts';
import { reportFailure } from './report-failure.ts';
import { type SubmitTaskDependencies, submitTask, turnOf } from './submit-task.ts';
import type { PolledTask } from './task-poll.ts';
import { expectedAt } from './task-progress.ts';
import { failTask, told, withTask } from './task-row.ts';

/** How long a service may take to end a task, in milliseconds: somebody waits for the answer. */
const CANCEL_TIMEOUT_MS = 15_000;

/** A task that was submitted to a service of another name is lost here. */
export interface RunTaskDependencies extends SubmitTaskDependencies {
  images: Pick<ImageClient, 'submit' | 'cancel'>;
  poller: Poller;
}

export interface RunTaskOptions {
  apiKey: string | undefined;
  /** Hears of every answer, and of every step that is written. */
  observe(seen: Partial<TaskProgress>): void;
  /** The process is stopping: what is not over stays in the row for the next one. */
  stopping: AbortSignal;
  /** The process has been stopping for so long that submissions are no longer waited for. */
  forceAbort: AbortSignal;
  /** Nobody wants it any more: what is not over fails as `cancelled`, `left` or `withdrawn`. */
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
  deps: RunTaskDependencies,
): Promise<void> {
  const { images, service, idempotency, keyTurns, poller, rateLimiter, clock, log } = deps;
  const key = rateLimitKey(writer.current());

  let turn: HeldTurn | undefined;

  async function submit(
    task: JobTask & { state: 'planned' | 'submitting' },
    apiKey: string,
  ): Promise<JobTask> {
    const options = { apiKey, observe, stopping, forceAbort, cancelled };
    const submitted = await submitTask(writer, index, task, options, deps);
    turn = submitted.turn;
    return submitted.task;
  }

  async function follow(task: JobTask & { state: 'following' }, apiKey: string): Promise<JobTask> {
    const { taskId, acceptedAt } = task;
    const held = turn ?? keyTurns.hold(turnOf(writer, apiKey));
    turn = held;
    let expected: number | undefined;
    const followed: PolledTask = {
      taskId,
      apiKey,
      acceptedAt,
      // What waited for its turn may be followed for longer than each of its tasks.
      deadlineAt: Math.min(writer.current().deadlineAt, acceptedAt + DEADLINE_MS),
      cancelled,
      onAnswer({ state, progress: percent, queuePosition: position, etaSeconds, previewUrl, flagged }) {
        const begun = state !== 'pending';
        held.seen(begun ? 'begun' : 'pending');
        const queuePosition = begun ? undefined : position;
        expected = expectedAt(expected, etaSeconds, clock.now());
        observe({
          begun,
          percent,
          queuePosition,
          expectedAt: expected,
          ...(previewUrl !== undefined && { previewUrl }),
          ...(flagged !== undefined && { flagged }),
        });
      },
      onTrouble: (error) => observe({ trouble: error.kind }),
    };
    const result = await poller.follow(key, followed, stopping);
    switch (result.state) {
      case 'cancelled':
        return endAtService(task, apiKey);
      case 'completed':
        return complete(task, result);
      case 'failed':
        return failTask(task, { kind: 'task-failed', reason: result.task.reason });
      case 'timed-out':
        return failTask(task, { kind: 'timed-out' });
      case 'error':
        return failTask(task, reportFailure(result.error, log, { job: writer.current().id }));
    }
  }

  const complete = (
    task: JobTask & { state: 'following' },
    {
      imageUrl,
      cost,
      flagged,
      notDrawn,
      expiresAt,
    }: Pick<Task, 'cost' | 'flagged' | 'notDrawn' | 'expiresAt'> & { imageUrl: string },
  ): JobTask => ({
    ...task,
    state: 'completed',
    imageUrl,
    ...told(cost),
    ...(flagged && { flagged: true }),
    ...(notDrawn && { notDrawn }),
    ...(expiresAt && { expiresAt: expiresAt.getTime() }),
    completedAt: clock.now(),
  });

  /** Ends a task that nobody wants any more at the service as well, which few services can. Finished is finished. */
  async function endAtService(task: JobTask & { state: 'following' }, apiKey: string): Promise<JobTask> {
    const { taskId } = task;
    try {
      const cancel = () =>
        withTimeout(CANCEL_TIMEOUT_MS, (within) => images.cancel(taskId, { apiKey, signal: within }), {
          signal: forceAbort,
          clock,
        });
      const ended = await rateLimiter.run(key, 'submit', cancel, { signal: forceAbort });
      const { state, imageUrl, cost } = ended;
      if (state === 'failed') return failTask(task, { kind: 'cancelled' }, cost);
      if (state === 'completed' && imageUrl !== undefined) return complete(task, { ...ended, imageUrl });
    } catch (error) {
      log.info(
        { err: error, job: writer.current().id, taskId },
        'the image service did not end a task that was cancelled',
      );
    }
    return failTask(task, { kind: 'left' });
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

  try {
    for (let task = writer.current().tasks[index]; task; task = writer.current().tasks[index]) {
      const next = await step(task);
      if (!next) return;
      if (hasEnded(next)) turn?.end();
      await writer.tryWrite(withTask(index, next));
      // That the last of them has ended is told by the outcome.
      if (!writer.current().tasks.every(hasEnded)) observe({});
      await idempotency.save();
    }
  } finally {
    turn?.end();
  }
}
