import { FOLLOWED_MS } from '../../src/jobs/follow-task.ts';
import type { Job } from '../../src/jobs/job.ts';
import type { JobTask, TaskFailure } from '../../src/jobs/job-task.ts';
import { FETCHED_MS } from '../../src/jobs/picture-download.ts';
import { idsOf, type KnownLimit, type Violation } from './violation.ts';

/** A submission that reached the service. */
export interface Submission {
  idempotencyKey: string;
  /** The task that the service made of it, or answered again. */
  taskId: string | undefined;
  /** By the clock of the run. */
  answeredAt: number;
}

/** What a run has left at the image service. */
export interface ServiceObserved {
  jobs: readonly Job[];
  submissions: readonly Submission[];
  idempotent: boolean;
  /** Whether its member, or a moderator, stopped a job. */
  wasStopped(job: Job): boolean;
  /** When the picture of a task was finished, by the clock of the run. */
  finishedAt(job: Job, task: JobTask): number | undefined;
  /** How the clock of the run was advanced. */
  advances: readonly { from: number; to: number }[];
  /** A task's status at the service. */
  stateOf(taskId: string, payer: Job['payer']): Promise<string>;
}

/** A picture is asked for once more so shortly before its deadline, or after it: what is finished earlier is seen. */
const LAST_LOOK_MS = 60_000;

const BY_MEMBER: ReadonlySet<TaskFailure['kind']> = new Set(['cancelled', 'left', 'withdrawn']);

/** Why a task may fail before the service has accepted it. */
const BEFORE_ACCEPTANCE: ReadonlySet<TaskFailure['kind']> = new Set([
  'unclear',
  'restarted',
  'unwritten',
  'unreachable',
  'busy',
  'no-turn',
]);

/** Likewise afterwards. */
const AFTER_ACCEPTANCE: ReadonlySet<TaskFailure['kind']> = new Set(['task-failed', 'timed-out', 'given-up']);

/** Each submission is sent once; where the service supports idempotency, it makes one task. */
export function checkSubmissions({ submissions, idempotent, jobs }: ServiceObserved): Violation[] {
  const owners = new Map(jobs.flatMap((job) => job.tasks.map((task) => [task.idempotencyKey, job] as const)));
  return [...new Set(submissions.map(({ idempotencyKey }) => idempotencyKey))].flatMap((key) => {
    const job = owners.get(key);
    const ids = job ? idsOf(job) : [key];
    const accepted = submissions.filter(({ idempotencyKey, taskId }) => idempotencyKey === key && taskId);
    const tasks = new Set(accepted.map(({ taskId }) => taskId));
    const of = `${key} of job ${job?.id}`;
    if (!job) return [{ rule: `${key} was submitted for no job that is known`, ids }];
    if (tasks.size > 1) return [{ rule: `${tasks.size} tasks were made for ${of}`, ids }];
    if (!idempotent && accepted.length > 1) {
      return [{ rule: `${of} was submitted ${accepted.length} times`, ids }];
    }
    return [];
  });
}

/** A task failed for the reason that its member is told, and for one that can occur in a run. */
export async function checkTasks(
  job: Job,
  { submissions, wasStopped, finishedAt, advances, stateOf }: ServiceObserved,
  tolerate: (limit: KnownLimit) => void,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const task of job.tasks) {
    if (task.state !== 'failed') continue;
    const { kind } = task.failure;
    const { taskId } = task;
    const violate = (why: string) =>
      violations.push({ rule: `a task of job ${job.id} is ${kind}, but ${why}`, ids: idsOf(job) });
    if (BY_MEMBER.has(kind)) {
      if (!wasStopped(job)) violate('nobody stopped it');
    } else if (taskId === undefined) {
      if (!BEFORE_ACCEPTANCE.has(kind)) violate('nothing in this run causes that');
    } else if ((await stateOf(taskId, job.payer)) === 'completed') {
      const acceptedAt = submissions.find((each) => each.taskId === taskId)?.answeredAt ?? 0;
      const finished = finishedAt(job, task) ?? 0;
      const leftMs = acceptedAt + FOLLOWED_MS - finished;
      const skipped = advances.some(
        ({ from, to }) =>
          from >= finished && from <= (job.endedAt ?? Number.POSITIVE_INFINITY) && to >= from + FETCHED_MS,
      );
      const isLate = (kind === 'timed-out' && leftMs < LAST_LOOK_MS) || (kind === 'unfetched' && skipped);
      if (isLate) tolerate('clock advanced past deadline');
      else violate('its picture is finished: it was lost');
    } else if (!AFTER_ACCEPTANCE.has(kind)) {
      violate('nothing in this run causes that');
    }
  }
  return violations;
}
