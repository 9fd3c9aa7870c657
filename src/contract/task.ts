import { z } from 'zod';
import { readProblem } from './envelope.ts';
import { looseId, looseMoment, looseNumber, looseText } from './reading.ts';

export const TASK_STATES = ['pending', 'processing', 'completed', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

const additions = {
  queue_position: z.int().optional(),
  eta_seconds: z.number().optional(),
  preview_url: z.url().optional(),
  cost: z.number().optional(),
  seed: z.int().optional(),
  expires_at: z.iso.datetime().optional(),
};
const taskFields = { id: z.string(), created_at: z.iso.datetime().nullable(), ...additions };

/** `data` of a task status. `pending` has the shape of `processing`, which the interface leaves open. */
export const taskStatus = z.discriminatedUnion('status', [
  z.object({ ...taskFields, status: z.enum(['pending', 'processing']), result: z.null(), progress: z.int() }),
  z.object({ ...taskFields, status: z.literal('completed'), result: z.object({ image_url: z.url() }) }),
  z.object({
    ...taskFields,
    /** The interface shows none for a failed task; ours has one. */
    created_at: taskFields.created_at.optional(),
    status: z.literal('failed'),
    error: z.string(),
    result: z.null(),
    error_code: z.string().optional(),
  }),
]);
export type TaskStatusAnswer = z.infer<typeof taskStatus>;

/** `data` of `task_list`, newest first; `next` asks for the page after this one, and is null on the last. */
export const taskList = z.object({ tasks: z.array(taskStatus), next: z.string().nullable() });

/** Words that services use beside the interface's four. Any word that is not here means: still working. */
const STATE_WORDS: ReadonlyMap<string, TaskState> = new Map([
  ['pending', 'pending'],
  ['queued', 'pending'],
  ['waiting', 'pending'],
  ['completed', 'completed'],
  ['complete', 'completed'],
  ['success', 'completed'],
  ['succeeded', 'completed'],
  ['finished', 'completed'],
  ['done', 'completed'],
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['error', 'failed'],
  ['canceled', 'failed'],
  ['cancelled', 'failed'],
]);

/** Percent from 0 to 100: a number, `"45%"`, or a ratio, which is what a fraction below 1 is taken for. */
const looseProgress = z
  .union([z.number(), z.string().transform((text) => Number.parseFloat(text))])
  .transform((value) => (value > 0 && value < 1 ? value * 100 : value))
  .transform((percent) => (Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : undefined))
  .nullish()
  .transform((percent) => percent ?? undefined)
  .catch(undefined);

const looseResult = z
  .union([
    z.string().transform((url) => ({ image_url: url, url: undefined, images: undefined })),
    z.looseObject({
      image_url: looseText,
      url: looseText,
      images: z
        .array(z.union([z.string(), z.looseObject({ url: z.string() }).transform(({ url }) => url)]))
        .optional()
        .catch(undefined),
    }),
  ])
  .nullish()
  .transform((result) => (result?.image_url ?? result?.url ?? result?.images?.[0])?.trim() || undefined)
  .catch(undefined);

/** What a task's status says, whatever way it says it. `imageUrl` may be relative to the service's address. */
export const readTask = z
  .looseObject({
    id: looseId.optional().catch(undefined),
    status: looseText,
    state: looseText,
    progress: looseProgress,
    result: looseResult,
    image_url: looseText,
    error: z.unknown().optional(),
    error_code: looseText,
    created_at: looseMoment,
    queue_position: looseNumber,
    eta_seconds: looseNumber,
    preview_url: looseText,
    cost: looseNumber,
    seed: looseNumber,
    expires_at: looseMoment,
  })
  .refine(({ status, state }) => status !== undefined || state !== undefined, 'a task needs a status')
  .transform((task) => ({
    id: task.id,
    state: STATE_WORDS.get((task.status ?? task.state ?? '').toLowerCase()) ?? 'processing',
    progress: task.progress,
    imageUrl: task.result ?? task.image_url,
    reason: readProblem(task.error).message,
    errorCode: task.error_code,
    createdAt: task.created_at,
    queuePosition: task.queue_position,
    etaSeconds: task.eta_seconds,
    previewUrl: task.preview_url,
    cost: task.cost,
    seed: task.seed,
    expiresAt: task.expires_at,
  }));
/** A task as Darkroom speaks of it; `reason` is the service's own sentence about a failure. */
export type Task = z.infer<typeof readTask>;
