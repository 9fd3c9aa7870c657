import { SERVICE_ERROR_KINDS } from '@darkroom/image-api/contract';
import { z } from 'zod';
import { MOST_COST } from '../limits/counted-cost.ts';

/**
 * Why something of a job came to nothing: the kinds of `ServiceError`, and those that only a job knows.
 * - `task-failed` the service reports that the task failed
 * - `withheld` likewise, and may have drawn it
 * - `timed-out` the deadline passed
 * - `given-up` likewise, and the service has ended it at no cost
 * - `unclear` nobody knows whether the submission was accepted, so it may have been charged
 * - `cancelled` it was cancelled, by the service as well
 * - `left` it was cancelled, and what the service does is not known
 * - `moved` it was submitted to another image service than the bot now has
 * - `withdrawn` it was cancelled before it was submitted
 * - `no-key` the key that paid is gone
 * - `unfetched` the picture is finished, but could not be fetched
 * - `unwritten` the request could not be written down, so it was not submitted
 * - `no-turn` it waited too long for its turn, because of others that the same key pays for, or of the service
 * - `restarted` a process ended, or its machine slept, before it was submitted
 * - `input-gone` the picture that it begins with is not to be had any more
 * - `input-unreadable` it is none
 * - `input-too-large` it has too many bytes or pixels
 * - `result-too-large` what is made of it would have more pixels than its server, or the operator, allows
 * - `unsupported` the service does not do that with it
 * - `internal` a mistake of ours
 */
export const taskFailure = z.object({
  kind: z.enum([
    ...SERVICE_ERROR_KINDS,
    'task-failed',
    'withheld',
    'timed-out',
    'given-up',
    'unclear',
    'cancelled',
    'left',
    'moved',
    'withdrawn',
    'no-key',
    'unfetched',
    'unwritten',
    'no-turn',
    'restarted',
    'input-gone',
    'input-unreadable',
    'input-too-large',
    'result-too-large',
    'unsupported',
    'internal',
  ]),
  /** The service's own sentence. */
  reason: z.string().optional(),
  /** What was to be paid for one picture and what there was, where the service says so. */
  credits: z.object({ required: z.number(), balance: z.number() }).optional().catch(undefined),
  /** Where a finished picture is that could not be fetched. */
  address: z.string().optional(),
  /** Finds the log line. */
  reference: z.string().optional(),
});
export type TaskFailure = z.infer<typeof taskFailure>;

const taskFields = {
  /** Picked at random where the member gave none: a status tells none, and every picture can be made again. */
  seed: z.int(),
  /** Sent with the submission, so that a service that supports it never charges twice. */
  idempotencyKey: z.uuid(),
  /** In place of the job's own, where its pictures are of different words. */
  prompt: z.string().optional(),
};
/** The image service that it was submitted to. Rows of earlier versions do not say. */
const service = z.string().optional();
const accepted = {
  ...taskFields,
  service,
  taskId: z.string(),
  acceptedAt: z.number(),
  /** Credits, where the service says so. */
  cost: z.number().nonnegative().optional().catch(undefined),
};

/**
 * One task of a job. `planned`: nothing sent yet. `submitting`: written before the request is sent; after a crash the
 * submission may or may not have been accepted. `following`: accepted. Then `completed`, or `failed` for a reason.
 */
export const jobTask = z.discriminatedUnion('state', [
  z.object({ ...taskFields, state: z.literal('planned') }),
  z.object({
    ...taskFields,
    state: z.literal('submitting'),
    service,
    /** Whether that service had announced that it supports the key. */
    idempotencySupported: z.boolean().optional(),
  }),
  z.object({ ...accepted, state: z.literal('following') }),
  z.object({
    ...accepted,
    state: z.literal('completed'),
    imageUrl: z.string(),
    /** It is not for everybody: the service says so, or said so of what it was made from. */
    flagged: z.literal(true).optional(),
    expiresAt: z.number().optional(),
    /** What the service says that the picture does not show, of what the prompt names. */
    notDrawn: z.array(z.string()).optional().catch(undefined),
    completedAt: z.number(),
  }),
  z.object({
    ...taskFields,
    state: z.literal('failed'),
    taskId: z.string().optional(),
    failure: taskFailure,
    /** As of the picture, which could not be fetched. */
    flagged: z.literal(true).optional(),
    /** Credits, where the service says so: what had been drawn, in whole or in part, may be paid for. */
    cost: z.number().nonnegative().optional().catch(undefined),
    /** Credits, where it does not: the price at which it was accepted, which may be paid. */
    mayHaveCost: z.number().nonnegative().optional().catch(undefined),
  }),
]);
export type JobTask = z.infer<typeof jobTask>;

/** Nothing more comes of it: there is a picture, or a reason why not. */
export const hasEnded = ({ state }: Pick<JobTask, 'state'>): boolean =>
  state === 'completed' || state === 'failed';

/** Whether a picture came of it, or may have: where a process could not write how it ended, only that it was sent. */
export const mayHaveCome = ({ state }: Pick<JobTask, 'state'>): boolean =>
  state !== 'planned' && state !== 'failed';

/** Whether a task came to nothing for one of these reasons. */
export const failedBy =
  (...kinds: readonly TaskFailure['kind'][]) =>
  (task: JobTask): boolean =>
    task.state === 'failed' && kinds.includes(task.failure.kind);

/** Whether nothing was drawn, where the service had accepted it. */
const endedUndrawn = failedBy('task-failed', 'cancelled', 'given-up');
/** Whether it may have been accepted without our knowing. */
const mayBeAccepted = failedBy('unclear', 'left', 'moved');

/** Whether somebody cancelled it before there was a picture, which is no failure. */
export const wasStopped = failedBy('cancelled', 'left', 'withdrawn');

/**
 * Whether it is certain that nothing was drawn, so that it counts in no limit. What has cost something was drawn in
 * part.
 */
export function wasNotDrawn(task: JobTask): boolean {
  if (task.state !== 'failed' || (task.cost ?? 0) > 0) return false;
  return task.taskId === undefined ? !mayBeAccepted(task) : endedUndrawn(task);
}

/** Whether the image service keeps its picture at `now`, as far as it says so. */
export const isKept = (task: JobTask | undefined, now: number): boolean =>
  task?.state === 'completed' && (task.expiresAt === undefined || task.expiresAt > now);

/** Whether its picture is not for everybody. */
export const isFlagged = (task: JobTask): boolean => 'flagged' in task && task.flagged === true;

/** Whether its failure tells something of somebody's credits or key. */
export const isAboutMoney = failedBy('insufficient-balance', 'unauthorized', 'no-key');

/** Whether its failure tells something of the picture that somebody has brought. */
export const isAboutInput = failedBy('input-gone', 'input-unreadable', 'input-too-large', 'result-too-large');

/** What stays the same in every state of a task. */
export const constantFields = ({ seed, idempotencyKey, prompt }: JobTask) => ({
  seed,
  idempotencyKey,
  ...(prompt !== undefined && { prompt }),
});

/** `task` as it stands in its row once it has come to nothing. A finished picture stays paid for. */
export const failTask = (
  task: JobTask,
  failure: TaskFailure,
  cost = task.state === 'completed' ? task.cost : undefined,
): JobTask => ({
  state: 'failed',
  ...constantFields(task),
  failure,
  ...('taskId' in task && task.taskId !== undefined && { taskId: task.taskId }),
  ...(isFlagged(task) && { flagged: true }),
  ...knownCost(cost),
  ...(cost === undefined && task.state === 'following' && { mayHaveCost: task.cost }),
});

/** What these tasks have cost together, as far as the service says so; undefined where it says nothing of it. */
export function costOf(tasks: readonly JobTask[]): number | undefined {
  const costs = tasks.flatMap((task) => ('cost' in task && task.cost !== undefined ? [task.cost] : []));
  return costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0) : undefined;
}

/** What a task costs, where the service has said so in a number that can be one. */
export const knownCost = (cost: number | undefined) =>
  cost !== undefined && cost >= 0 ? { cost: Math.min(cost, MOST_COST) } : {};
