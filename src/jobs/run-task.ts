import { followTask } from './follow-task.ts';
import { withTask } from './job.ts';
import { failTask, hasEnded, type JobTask, type TaskFailure, wasStopped } from './job-task.ts';
import type { Run } from './run.ts';
import type { HeldTurn } from './service-calls/key-turns.ts';
import { submitTask, turnOf } from './submit-task.ts';

/**
 * Takes one task of a job from wherever its row says it is to `completed` or `failed`. Rejects only with the reason
 * of `stopping`.
 */
export async function runTask(run: Run, index: number): Promise<void> {
  const { log, service } = run.deps;
  const { idempotency, keyTurns } = service;
  let turn: HeldTurn | undefined;

  async function take(step: Step, task: JobTask): Promise<JobTask> {
    if (step.kind === 'fail') return failTask(task, step.failure);
    if (step.kind === 'submit') {
      const submitted = await submitTask(run, index, step.task, step.apiKey);
      turn = submitted.turn;
      return submitted.task;
    }
    turn ??= keyTurns.hold(turnOf(run.job(), step.apiKey));
    return followTask(run, index, step.task, { apiKey: step.apiKey, turn });
  }

  try {
    for (let task = run.job().tasks[index]; task; task = run.job().tasks[index]) {
      const step = nextStep(run, task);
      if (!step) return;
      const next = await take(step, task);
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

type Step =
  | { kind: 'fail'; failure: TaskFailure }
  | { kind: 'submit'; task: JobTask & { state: 'planned' | 'submitting' }; apiKey: string }
  | { kind: 'follow'; task: JobTask & { state: 'following' }; apiKey: string };

/** What is to be done with a task, by its row; undefined once it has ended. */
function nextStep({ job, deps: { service, clock } }: Run, task: JobTask): Step | undefined {
  if (isElsewhere(task, service.name)) return fail('moved');
  if (task.state === 'completed' || task.state === 'failed') return undefined;
  const { secrets: { apiKey } = {}, deadlineAt } = job();
  if (apiKey === undefined) return fail('no-key');
  if (task.state === 'following') return { kind: 'follow', task, apiKey };
  const isLate = clock.now() >= deadlineAt;
  if (task.state === 'planned') return isLate ? fail('restarted') : { kind: 'submit', task, apiKey };
  // The submission may have been accepted. Repeat it only if the service supported the key when it was sent and
  // supports it now, and before the service forgets the key.
  const isRepeatable = task.idempotencySupported && service.idempotency.isSupported();
  return isLate || !isRepeatable ? fail('unclear') : { kind: 'submit', task, apiKey };
}

const fail = (kind: 'moved' | 'no-key' | 'restarted' | 'unclear'): Step => ({
  kind: 'fail',
  failure: { kind },
});

/** At a service that this process does not know. An absolute address of a picture still leads there. */
const isElsewhere = (task: JobTask, serviceName: string): boolean =>
  'service' in task &&
  task.service !== undefined &&
  task.service !== serviceName &&
  !(task.state === 'completed' && URL.canParse(task.imageUrl));
