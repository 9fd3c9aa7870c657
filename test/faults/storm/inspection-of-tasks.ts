import type { Failure, Job, JobTask } from '../../../src/jobs/job.ts';
import { type Excuse, type Finding, idsOf } from './inspection.ts';

/** A submission that reached the service. */
export interface Submission {
  idempotencyKey: string;
  /** The task that the service made of it, or answered again. */
  taskId: string | undefined;
}

/** What a storm has left at the image service. */
export interface ServiceScene {
  jobs: readonly Job[];
  submissions: readonly Submission[];
  idempotent: boolean;
  /** Jobs that their member has stopped. */
  stopped: ReadonlySet<string>;
  /** When the picture of a task was finished, by the storm's clock. */
  finishedAt(job: Job, task: JobTask): number | undefined;
  /** What the service says of a task. */
  stateOf(taskId: string): Promise<string>;
}

/** Time may leap so far at once while the bot lives. */
const LONGEST_LEAP_MS = 16 * 60_000;

const BY_MEMBER: ReadonlySet<Failure['kind']> = new Set(['cancelled', 'left', 'withdrawn']);

/** How a task may come to nothing before the service has accepted it. */
const BEFORE_ACCEPTANCE: ReadonlySet<Failure['kind']> = new Set([
  'unclear',
  'restarted',
  'unwritten',
  'unreachable',
  'busy',
]);

/** Each submission is made once, or where the service knows it again, makes one task. */
export function judgeSubmissions({ submissions, idempotent, jobs }: ServiceScene): Finding[] {
  const owners = new Map(jobs.flatMap((job) => job.tasks.map((task) => [task.idempotencyKey, job] as const)));
  return [...new Set(submissions.map(({ idempotencyKey }) => idempotencyKey))].flatMap((key) => {
    const job = owners.get(key);
    const about = job ? idsOf(job) : [key];
    const accepted = submissions.filter(({ idempotencyKey, taskId }) => idempotencyKey === key && taskId);
    const tasks = new Set(accepted.map(({ taskId }) => taskId));
    const of = `${key} of job ${job?.id}`;
    if (!job) return [{ rule: `${key} was submitted for no job that is known`, about }];
    if (tasks.size > 1) return [{ rule: `${tasks.size} tasks were made for ${of}`, about }];
    if (!idempotent && accepted.length > 1) {
      return [{ rule: `${of} was submitted ${accepted.length} times`, about }];
    }
    return [];
  });
}

/** A task that came to nothing did so for the reason that its member is told, and for one that the storm can give. */
export async function judgeTasks(
  job: Job,
  { stopped, finishedAt, stateOf }: ServiceScene,
  excuse: (why: Excuse) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const task of job.tasks) {
    if (task.state !== 'failed') continue;
    const { kind } = task.failure;
    const { taskId } = task;
    const broken = (why: string) =>
      findings.push({ rule: `a task of job ${job.id} is ${kind}, but ${why}`, about: idsOf(job) });
    if (BY_MEMBER.has(kind)) {
      if (!stopped.has(job.id)) broken('nobody stopped it');
    } else if (taskId === undefined) {
      if (!BEFORE_ACCEPTANCE.has(kind)) broken('nothing in this storm is a cause of that');
    } else if ((await stateOf(taskId)) === 'completed') {
      const leftMs = job.deadlineAt - (finishedAt(job, task) ?? 0);
      if (kind === 'timed-out' && leftMs < LONGEST_LEAP_MS) excuse('deadline leapt over');
      else broken('its picture is finished: it is lost');
    } else if (kind !== 'task-failed' && kind !== 'timed-out') {
      broken('nothing in this storm is a cause of that');
    }
  }
  return findings;
}
