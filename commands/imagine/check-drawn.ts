import type { Job, JobTask } from '../../src/jobs/job.ts';
import { taskSubmission } from '../../src/jobs/task-submission.ts';
import { checkGraph } from './graph-submission.ts';
import type { Invocation } from './invocation.ts';
import { checkSubmission, type Terms } from './terms.ts';

/** Throws `UserError` where the server would not allow now what was drawn by these tasks of a job. */
export function checkDrawn(
  job: Job,
  tasks: readonly JobTask[],
  terms: Terms,
  invocation: Invocation<readonly string[]>,
): void {
  const { graph } = job;
  for (const task of tasks) {
    const submission = taskSubmission(job, task);
    if (graph) checkGraph(submission, { graph, count: tasks.length }, terms, invocation);
    else checkSubmission(submission, terms, invocation);
  }
}
