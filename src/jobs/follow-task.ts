import { ServiceError, type ServiceErrorKind, type TaskUnderWay } from '@darkroom/image-api';
import { MINUTE_MS, withTimeout } from '@darkroom/time';
import { guildOrMember } from './job.ts';
import { failTask, type JobTask, knownCost, type TaskFailure } from './job-task.ts';
import { keyInPlaceOf } from './replaced-key.ts';
import { reportFailure } from './report-failure.ts';
import type { Run } from './run.ts';
import type { HeldTurn } from './service-calls/key-turns.ts';
import { type FinishedTask, isFinished, type TaskResult } from './service-calls/task-poll.ts';
import { expectedAt } from './task-progress.ts';

/**
 * How long a task is followed from its acceptance: a minute longer than our service draws it, so that the service's own
 * end is heard, which costs nothing.
 */
export const FOLLOWED_MS = 31 * MINUTE_MS;

/** How long a service may take to end a task, in milliseconds: somebody waits for the answer. */
const CANCEL_TIMEOUT_MS = 15_000;

type FollowedTask = JobTask & { state: 'following' };

/**
 * Polls a task until it has ended, and has it ended where nobody wants it any more. Resolves with the task as it is
 * then; rejects only with the reason of `stopping`.
 */
export async function followTask(
  run: Run,
  index: number,
  task: FollowedTask,
  { apiKey: sealed, turn }: { apiKey: string; turn: HeldTurn },
): Promise<JobTask> {
  const { log } = run.deps;
  const { apiKey, result } = await pollWithKeys(run, index, task, { apiKey: sealed, turn });
  switch (result.state) {
    case 'cancelled':
      return endAtService(run, task, apiKey, { ended: () => 'cancelled', unknown: 'left' });
    case 'completed':
      turn.completed();
      return complete(run, task, result);
    case 'failed': {
      const { reason, cost, mayBeDrawn } = result;
      const kind = mayBeDrawn && cost !== 0 ? 'withheld' : 'task-failed';
      return failTask(task, { kind, reason }, cost);
    }
    case 'timed-out':
      return endAtService(run, task, apiKey, {
        ended: (cost) => (cost === 0 ? 'given-up' : 'timed-out'),
        unknown: 'timed-out',
      });
    case 'error':
      return failTask(task, reportFailure(result.error, log, { job: run.id, taskId: task.taskId }));
  }
}

/**
 * Polls it with the key that it was submitted with, and where the service does not accept that any more, with the one
 * that its payer has linked since: a task belongs to an account. Where it is none of that account, it ends as before.
 */
async function pollWithKeys(
  run: Run,
  index: number,
  { taskId, acceptedAt }: FollowedTask,
  { apiKey: sealed, turn }: { apiKey: string; turn: HeldTurn },
): Promise<{ apiKey: string; result: TaskResult }> {
  const { service } = run.deps;
  const { stopping, cancelled } = run.signals;
  const poll = (apiKey: string) =>
    service.poller.follow(
      guildOrMember(run.job()),
      {
        taskId,
        apiKey,
        acceptedAt,
        deadlineAt: acceptedAt + FOLLOWED_MS,
        cancelled,
        onAnswer: observeAnswers(run, index, turn),
        onTrouble: (error) => run.observe(index, { trouble: error.kind }),
      },
      stopping,
    );
  let followed = { apiKey: sealed, result: await poll(sealed) };
  while (endedBy('unauthorized', followed.result)) {
    const apiKey = await keyInPlaceOf(run, followed.apiKey);
    if (apiKey === undefined) break;
    const result = await poll(apiKey);
    if (endedBy('not-found', result)) break;
    followed = { apiKey, result };
  }
  return followed;
}

const endedBy = (kind: ServiceErrorKind, result: TaskResult): boolean =>
  result.state === 'error' && result.error instanceof ServiceError && result.error.kind === kind;

/** Hears every answer that does not end the task: from it the progress of the run and its turn are told. */
function observeAnswers({ deps: { clock }, observe }: Run, index: number, turn: HeldTurn) {
  let expected: number | undefined;
  let lastSaid = 0;
  return ({ state, progress, queuePosition, etaSeconds, previewUrl, flagged }: TaskUnderWay): void => {
    const begun = state !== 'pending';
    turn.seen(begun ? 'begun' : 'pending');
    expected = expectedAt(expected, etaSeconds, clock.now());
    // A single lower answer may be an old one. Two in a row: a drawing was lost, and begins anew.
    const percent = progress === undefined ? undefined : Math.max(lastSaid, progress);
    lastSaid = progress ?? lastSaid;
    observe(index, {
      begun,
      percent,
      // A task that has begun may still wait for machines that are not the service's own; at 0 they draw it.
      queuePosition: begun && queuePosition === 0 ? undefined : queuePosition,
      expectedAt: expected,
      ...(previewUrl !== undefined && { previewUrl }),
      ...(flagged !== undefined && { flagged }),
    });
  };
}

const complete = (
  { job, deps: { clock } }: Run,
  task: FollowedTask,
  { imageUrl, cost, flagged, notDrawn, expiresAt }: FinishedTask,
): JobTask => ({
  ...task,
  state: 'completed',
  imageUrl,
  ...knownCost(cost),
  ...((job().input?.flagged || (flagged ?? job().submission.nsfw)) && { flagged: true }),
  ...(notDrawn && { notDrawn }),
  ...(expiresAt && { expiresAt: expiresAt.getTime() }),
  completedAt: clock.now(),
});

/**
 * Ends a task that nobody waits for any more at the service as well, which few services can. Finished is finished.
 * `ended`: what has become of it where the service has ended it, for this many credits, if it says so; `unknown`: where
 * it has not.
 */
async function endAtService(
  run: Run,
  task: FollowedTask,
  apiKey: string,
  kinds: { ended(cost: number | undefined): TaskFailure['kind']; unknown: TaskFailure['kind'] },
): Promise<JobTask> {
  const { service, clock, log } = run.deps;
  const { abandoned } = run.signals;
  const { taskId } = task;
  try {
    const call = (within: AbortSignal) => service.images.cancel(taskId, { apiKey, signal: within });
    const cancel = () => withTimeout(CANCEL_TIMEOUT_MS, call, { signal: abandoned, clock });
    const ended = await service.rateLimiter.run(guildOrMember(run.job()), 'cancel', cancel, {
      signal: abandoned,
    });
    if (ended.state === 'failed') return failTask(task, { kind: kinds.ended(ended.cost) }, ended.cost);
    if (isFinished(ended)) return complete(run, task, ended);
  } catch (error) {
    // The next process has it end.
    abandoned.throwIfAborted();
    log.info(
      { err: error, job: run.id, taskId },
      'the image service did not end a task that nobody waits for',
    );
  }
  return failTask(task, { kind: kinds.unknown });
}
