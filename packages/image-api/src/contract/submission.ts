import { z } from 'zod';
import { ANY_REQUEST_ERRORS, BODY_ERRORS, KEY_ERRORS } from './error-codes.ts';
import { graph } from './graph.ts';
import { LIMITS } from './limits.ts';
import { looseId, looseNumber, looseText } from './loose.ts';
import { idempotent, type Operation, v1 } from './operation.ts';
import { checkOperation, pictureParameters } from './pictures.ts';
import { reference } from './reference.ts';
import { type Schema, schema, taking } from './schema.ts';
import { readTask, type Task, taskStatus } from './task.ts';
import { wait } from './wait.ts';
import { webhook } from './webhook.ts';

/** Bounds before `int`, so that a number far beyond them is reported as out of range and not as no integer. */
const integer = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max).int();

/** One of `WORKFLOWS`, or one that the operator of a service defines: `capabilities` lists them. */
export const workflowName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'must be up to 32 small letters, digits, - and _, beginning with a letter or a digit',
  );

/**
 * The body of a submission as the interface lists it, with `webhook`, which it announces, and additions of ours. What
 * is left out is the service's to choose; `WORKFLOWS_SUPPORTING` says which workflows use `cfg` and `model`.
 */
export const submission = z
  .strictObject({
    /** Empty where an operation does without. */
    prompt: z.union([z.string().trim(), graph]),
    negative_prompt: z.string().optional(),
    width: integer(LIMITS.width).optional(),
    height: integer(LIMITS.height).optional(),
    steps: integer(LIMITS.steps).optional(),
    workflow: workflowName.optional(),
    seed: integer(LIMITS.seed).optional(),
    cfg: z.number().min(LIMITS.cfg.min).max(LIMITS.cfg.max).optional(),
    model: z.string().min(1).optional(),
    /** Our addition: the seed of a picture whose composition stays, while `seed` draws the rest of it anew. */
    variation_of: integer({ min: 0, max: LIMITS.seed.max }).optional(),
    /** Our addition: the picture is for adults only, and may be indecent where a workflow draws such. */
    nsfw: z.boolean().optional(),
    webhook: webhook.optional(),
    /** Our addition: the caller's own word for the task, which is told wherever the task is. */
    reference: reference.optional(),
    ...pictureParameters.shape,
  })
  .check(checkOperation);
export type Submission = z.infer<typeof submission>;

const additions = {
  cost: z.number().optional(),
  seed: z.int().optional(),
  warnings: z.array(z.string()).optional(),
  /** As it then is, where `wait` was asked for. */
  task: taskStatus.optional(),
};

/**
 * `data` of an accepted submission to `default`, `anime` or `z-image`; `cost`, `seed`, `warnings` are our additions.
 */
export const graphTaskQueued = z.object({
  id: z.uuid(),
  status: z.literal('queued'),
  message: z.string(),
  ...additions,
});

/** `data` of an accepted submission to `rr3`. */
export const rr3TaskQueued = z.object({
  id: z.string().regex(/^\d+$/),
  provider: z.literal('rr3'),
  status: z.literal('queued'),
  check_status: z.string().meta({ description: 'Where its status is, relative to `/v1/index.php`.' }),
  ...additions,
});

const sent = schema(z.union([graphTaskQueued, rr3TaskQueued]).meta({ id: 'QueuedTask' }));
export type QueuedAnswer = z.infer<typeof sent>;

/** Only the id is needed to follow the task. */
const read: Schema<QueuedTask> = z
  .looseObject({
    id: looseId,
    message: looseText,
    cost: looseNumber,
    seed: looseNumber,
    warnings: z.array(z.string()).catch([]),
    task: readTask.optional().catch(undefined),
  })
  .transform(({ id, message, cost, seed, warnings, task }) => ({
    taskId: id,
    message,
    cost,
    seed,
    warnings,
    task,
  }));

export interface QueuedTask {
  /** What its status is asked with. */
  taskId: string;
  /** The service's own words. */
  message: string | undefined;
  /** Credits. */
  cost: number | undefined;
  /** The seed that the picture is drawn from, where the service tells it before it is drawn. */
  seed: number | undefined;
  /** What has no effect, or another one than may have been meant. */
  warnings: string[];
  /** As it was when the answer came, where that was asked to wait and the service can. */
  task?: Task | undefined;
}

export const submit = {
  method: 'POST',
  ...v1('image_generation'),
  tag: 'tasks',
  summary: 'Submit a task',
  description:
    'Numbers may be sent as text, null counts as absent, and parameters that are not listed are ignored. With `wait`, the answer comes when the task ends, or after so many seconds, with `task`: how it then is.',
  auth: 'key',
  headers: idempotent,
  query: taking(z.looseObject({ wait })),
  body: taking(submission),
  carriesContent: true,
  example: { prompt: 'a red fox in the snow', width: 512, height: 512 },
  leadsTo: { status: { task_id: 'id' }, cancel: { task_id: 'id' } },
  answer: { sent, read },
  errors: [
    ...ANY_REQUEST_ERRORS,
    ...KEY_ERRORS,
    ...BODY_ERRORS,
    'missing_prompt',
    'parameter_out_of_range',
    'unknown_workflow',
    'workflow_format_ui',
    'graph_not_supported',
    'operation_not_supported',
    'picture_unreadable',
    'picture_too_large',
    'picture_not_found',
    'too_many_uploads',
    'insufficient_balance',
    'idempotency_conflict',
    'queue_full',
    'pictures_unavailable',
    'engine_unavailable',
  ],
} as const satisfies Operation;
