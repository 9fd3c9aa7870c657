import type { Job, JobTask, TaskFailure } from './job.ts';

/** The job with one of its tasks replaced. */
export const withTask =
  (index: number, task: JobTask) =>
  (job: Job): Job => ({ ...job, tasks: job.tasks.with(index, task) });

/** What stays the same in every state of a task. */
export const constantFields = ({ seed, idempotencyKey, prompt }: JobTask) => ({
  seed,
  idempotencyKey,
  ...(prompt !== undefined && { prompt }),
});

/** `task` as it stands in its row once it has come to nothing. */
export const failTask = (task: JobTask, failure: TaskFailure, cost?: number): JobTask => ({
  state: 'failed',
  ...constantFields(task),
  failure,
  ...('taskId' in task && task.taskId !== undefined && { taskId: task.taskId }),
  ...knownCost(cost),
});

/** What a task costs, where the service has said so in a number that can be one. */
export const knownCost = (cost: number | undefined) => (cost !== undefined && cost >= 0 ? { cost } : {});
