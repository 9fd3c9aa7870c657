import { withTimeout } from '@darkroom/time';
import { guildOrMember, withTask } from './job.ts';
import { DEADLINE_MS } from './job-request.ts';
import { failTask, hasEnded, type JobTask, knownCost } from './job-task.ts';
import type { HeldTurn } from './key-turns.ts';
import { reportFailure } from './report-failure.ts';
import type { Run } from './run.ts';
import { submitTask, turnOf } from './submit-task.ts';
import { type FinishedTask, isFinished, type PolledTask } from './task-poll.ts';
import { expectedAt, type TaskProgress } from './task-progress.ts';

/** How long a service may take to end a task, in milliseconds: somebody waits for the answer. */
const CANCEL_TIMEOUT_MS = 15_000;

/**
 * Takes one task of a job from wherever its row says it is to `completed` or `failed`. Rejects only with the reason
 * of `stopping`.
 */
export async function runTask(run: Run, index: number): Promise<void> {
  const { clock, log, service } = run.deps;
  const { stopping, abandoned, cancelled } = run.signals;
  const { secrets: { apiKey } = {} } = run.job();
  const guildId = guildOrMember(run.job());
  const observe = (seen: Partial<TaskProgress>) => run.observe(index, seen);

  let turn: HeldTurn | undefined;

  async function submit(
    task: JobTask & { state: 'planned' | 'submitting' },
    apiKey: string,
  ): Promise<JobTask> {
    const submitted = await submitTask(run, index, task, apiKey);
    turn = submitted.turn;
    return submitted.task;
  }

  async function follow(task: JobTask & { state: 'following' }, apiKey: string): Promise<JobTask> {
    const { taskId, acceptedAt } = task;
    const held = turn ?? service.keyTurns.hold(turnOf(run.job(), apiKey));
    turn = held;
    let expected: number | undefined;
    const polled: PolledTask = {
      taskId,
      apiKey,
      acceptedAt,
      // What waited for its turn may be followed for longer than each of its tasks.
      deadlineAt: Math.min(run.job().deadlineAt, acceptedAt + DEADLINE_MS),
      cancelled,
      onAnswer({ state, progress: percent, queuePosition: position, etaSeconds, previewUrl, flagged }) {
        const begun = state !== 'pending';
        held.seen(begun ? 'begun' : 'pending');
        // A task that has begun may still wait for machines that are not the service's own; at 0 they draw it.
        const queuePosition = begun && position === 0 ? undefined : position;
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
    const result = await service.poller.follow(guildId, polled, stopping);
    switch (result.state) {
      case 'cancelled':
        return endAtService(task, apiKey);
      case 'completed':
        return complete(task, result);
      case 'failed':
        return failTask(task, { kind: 'task-failed', reason: result.reason }, result.cost);
      case 'timed-out':
        return failTask(task, { kind: 'timed-out' });
      case 'error':
        return failTask(task, reportFailure(result.error, log, { job: run.id }));
    }
  }

  const complete = (
    task: JobTask & { state: 'following' },
    { imageUrl, cost, flagged, notDrawn, expiresAt }: FinishedTask,
  ): JobTask => ({
    ...task,
    state: 'completed',
    imageUrl,
    ...knownCost(cost),
    ...((flagged ?? run.job().submission.nsfw) && { flagged: true }),
    ...(notDrawn && { notDrawn }),
    ...(expiresAt && { expiresAt: expiresAt.getTime() }),
    completedAt: clock.now(),
  });

  /** Ends a task that nobody wants any more at the service as well, which few services can. Finished is finished. */
  async function endAtService(task: JobTask & { state: 'following' }, apiKey: string): Promise<JobTask> {
    const { taskId } = task;
    try {
      const call = (within: AbortSignal) => service.images.cancel(taskId, { apiKey, signal: within });
      const cancel = () => withTimeout(CANCEL_TIMEOUT_MS, call, { signal: abandoned, clock });
      const ended = await service.rateLimiter.run(guildId, 'submit', cancel, { signal: abandoned });
      if (ended.state === 'failed') return failTask(task, { kind: 'cancelled' }, ended.cost);
      if (isFinished(ended)) return complete(task, ended);
    } catch (error) {
      // The next process has it end.
      abandoned.throwIfAborted();
      log.info(
        { err: error, job: run.id, taskId },
        'the image service did not end a task that was cancelled',
      );
    }
    return failTask(task, { kind: 'left' });
  }

  /** At a service that this process does not know. An absolute address of a picture still leads there. */
  const isElsewhere = (task: JobTask): boolean =>
    'service' in task &&
    task.service !== undefined &&
    task.service !== service.name &&
    !(task.state === 'completed' && URL.canParse(task.imageUrl));

  /** What becomes of a task in one step; undefined once it has ended. */
  function step(task: JobTask): Promise<JobTask> | JobTask | undefined {
    if (isElsewhere(task)) return failTask(task, { kind: 'moved' });
    if (task.state === 'completed' || task.state === 'failed') return undefined;
    if (apiKey === undefined) return failTask(task, { kind: 'no-key' });
    if (task.state === 'following') return follow(task, apiKey);
    const late = clock.now() >= run.job().deadlineAt;
    if (task.state === 'planned') return late ? failTask(task, { kind: 'restarted' }) : submit(task, apiKey);
    // The submission may have been accepted. Repeat it only if the service supported the key when it was sent and
    // supports it now, and before the service forgets the key.
    const repeatable = task.idempotencySupported && service.idempotency.isSupported();
    return late || !repeatable ? failTask(task, { kind: 'unclear' }) : submit(task, apiKey);
  }

  try {
    for (let task = run.job().tasks[index]; task; task = run.job().tasks[index]) {
      const next = await step(task);
      if (!next) return;
      if (hasEnded(next)) turn?.end();
      await run.tryWrite(withTask(index, next));
      // That the last of them has ended is told by the outcome.
      if (!run.job().tasks.every(hasEnded)) observe({});
      await service.idempotency.save();
    }
  } finally {
    turn?.end();
  }
}
