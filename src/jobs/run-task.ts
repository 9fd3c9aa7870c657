import { followTask } from './follow-task.ts';
import { withTask } from './job.ts';
import { failTask, hasEnded, type JobTask, wasStopped } from './job-task.ts';
import type { Run } from './run.ts';
import type { HeldTurn } from './service-calls/key-turns.ts';
import { submitTask, turnOf } from './submit-task.ts';

/**
 * Takes one task of a job from wherever its row says it is to `completed` or `failed`. Rejects only with the reason
 * of `stopping`.
 */
export async function runTask(run: Run, index: number): Promise<void> {
  const { log, service, clock } = run.deps;
  const { idempotency, keyTurns } = service;
  let turn: HeldTurn | undefined;

  /** Takes it as far as one step leads, by its row; undefined once it has ended. */
  async function advance(task: JobTask): Promise<JobTask | undefined> {
    if (isElsewhere(task, service.name)) return failTask(task, { kind: 'moved' });
    if (task.state === 'completed' || task.state === 'failed') return undefined;
    const { secrets: { apiKey } = {}, deadlineAt } = run.job();
    if (apiKey === undefined) return failTask(task, { kind: 'no-key' });
    if (task.state === 'following') {
      turn ??= keyTurns.hold(turnOf(run.job(), apiKey));
      return followTask(run, index, task, { apiKey, turn });
    }
    const isLate = clock.now() >= deadlineAt;
    if (task.state === 'planned' && isLate) return failTask(task, { kind: 'restarted' });
    // The submission may have been accepted. Repeat it only if the service supported the key when it was sent and
    // supports it now, and before the service forgets the key.
    const maySend =
      task.state === 'planned' || (!isLate && task.idempotencySupported && idempotency.isSupported());
    if (!maySend) return failTask(task, { kind: 'unclear' });
    const submitted = await submitTask(run, index, task, apiKey);
    turn = submitted.turn;
    return submitted.task;
  }

  try {
    for (let task = run.job().tasks[index]; task; task = run.job().tasks[index]) {
      const next = await advance(task);
      if (!next) return;
      if (hasEnded(next)) turn?.end();
      // What has a reference stands in the log already.
      if (next.state === 'failed' && next.failure.reference === undefined && !wasStopped(next)) {
        const { kind, reason } = next.failure;
        log.warn({ job: run.id, taskId: next.taskId, kind, reason }, 'a task came to nothing');
      }
      await run.tryWrite(withTask(index, next));
      // That the last of them has ended is told by the outcome.
      if (!run.job().tasks.every(hasEnded)) run.showTask(index);
      await idempotency.save();
    }
  } finally {
    turn?.end();
  }
}

/** At a service that this process does not know. An absolute address of a picture still leads there. */
const isElsewhere = (task: JobTask, serviceName: string): boolean =>
  'service' in task &&
  task.service !== undefined &&
  task.service !== serviceName &&
  !(task.state === 'completed' && URL.canParse(task.imageUrl));
