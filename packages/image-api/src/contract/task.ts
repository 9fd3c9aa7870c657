import { z } from 'zod';
import { envelope, readError } from './envelope.ts';
import { ANY_REQUEST_ERRORS, BODY_ERRORS, KEY_ERRORS } from './error-codes.ts';
import { looseCount, looseFlag, looseId, looseMoment, looseNumber, looseText } from './loose.ts';
import { type Operation, v1 } from './operation.ts';
import { reference } from './reference.ts';
import { type Schema, schema, taking } from './schema.ts';
import { TASK_OPERATIONS } from './task-operation.ts';
import { readState, TASK_STATES } from './task-state.ts';
import { wait } from './wait.ts';
import { webhookStatus } from './webhook.ts';

/** How many words or names are told that a picture does not show, and how long each may be. */
const NOT_DRAWN = { words: 8, length: 60 };

/** Of another service, as much of it as ours would tell. */
const looseNotDrawn = z.transform((value: unknown) => {
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word) => typeof word === 'string').map((word) => word.trim());
  const short = words.filter((word) => word !== '' && word.length <= NOT_DRAWN.length);
  return short.length > 0 ? short.slice(0, NOT_DRAWN.words) : undefined;
});

const additions = {
  queue_position: z.int().optional().meta({
    description:
      'From 1. Of a task that is `pending`, in the queue of the service; of one that is `processing`, in that of machines elsewhere that are to draw it.',
  }),
  eta_seconds: z.number().optional(),
  preview_url: z.url().optional(),
  cost: z.number().optional(),
  seed: z.int().optional(),
  expires_at: z.iso.datetime().optional(),
  /** Where the submission named one. */
  webhook: webhookStatus.optional(),
  /** As the submission named it. */
  reference: reference.optional(),
};
const taskFields = { id: z.string(), created_at: z.iso.datetime().nullable(), ...additions };

/** `pending` has the shape of `processing`, which the interface leaves open. */
const underWay = z.object({
  ...taskFields,
  status: z.enum(['pending', 'processing']),
  result: z.null(),
  progress: z.int(),
});
const completed = z.object({
  ...taskFields,
  status: z.literal('completed'),
  result: z.object({ image_url: z.url() }),
  /** What the prompt names and the picture does not show, where that is known: pictures that are sketched. */
  not_drawn: z.array(z.string().max(NOT_DRAWN.length)).max(NOT_DRAWN.words).optional(),
});
const failed = z.object({
  ...taskFields,
  /** The interface shows none for a failed task; ours has one. */
  created_at: taskFields.created_at.optional(),
  status: z.literal('failed'),
  error: z.string(),
  result: z.null(),
  error_code: z.string().optional(),
});
interface UnderWayAnswer extends z.infer<typeof underWay> {}
interface CompletedAnswer extends z.infer<typeof completed> {}
interface FailedAnswer extends z.infer<typeof failed> {}

/** `data` of a task status. */
export const taskStatus: Schema<TaskStatusAnswer> = z
  .discriminatedUnion('status', [underWay, completed, failed])
  .meta({ id: 'Task' });
export type TaskStatusAnswer = UnderWayAnswer | CompletedAnswer | FailedAnswer;

/** Percent from 0 to 100: a number, `"45%"`, or a ratio, which is what a fraction below 1 is taken for. */
const looseProgress = z.transform((value: unknown) => {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return Math.min(100, Math.max(0, number > 0 && number < 1 ? number * 100 : number));
});

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const withUrl = z.looseObject({ url: looseText });

/** An address: text, `{ url }`, or a list of either, of which the first counts. */
const looseAddress = z.transform((value: unknown): string | undefined => {
  const first = firstOf(value);
  return looseText.parse(typeof first === 'object' ? withUrl.safeParse(first).data?.url : first);
});

const resultFields = z.looseObject({
  image_url: looseAddress,
  url: looseAddress,
  images: looseAddress,
  sample: looseAddress,
  flagged: looseFlag,
  nsfw: looseFlag,
});

/** An address, or what holds one, or a list of either. */
const looseResult = z.transform((value: unknown) => {
  const first = firstOf(value);
  if (typeof first === 'string') return { imageUrl: looseText.parse(first), flagged: undefined };
  const result = first == null ? undefined : resultFields.safeParse(first).data;
  return {
    imageUrl: result?.image_url ?? result?.url ?? result?.images ?? result?.sample,
    flagged: result?.flagged ?? result?.nsfw,
  };
});

/** A task's status, in any of the forms that services use. `imageUrl` may be relative to the service's address. */
export const readTask: Schema<Task> = z
  .object({
    id: looseId.optional().catch(undefined),
    status: looseText,
    state: looseText,
    progress: looseProgress,
    result: looseResult,
    image_url: looseAddress,
    flagged: looseFlag,
    nsfw: looseFlag,
    error: z.unknown().optional(),
    error_code: looseText,
    created_at: looseMoment,
    queue_position: looseCount,
    eta_seconds: looseNumber,
    preview_url: looseText,
    cost: looseNumber,
    seed: looseNumber,
    expires_at: looseMoment,
    not_drawn: looseNotDrawn,
    reference: looseText,
  })
  .refine(({ status, state }) => status !== undefined || state !== undefined, 'a task needs a status')
  .transform((task): Task => {
    const imageUrl = task.result.imageUrl ?? task.image_url;
    const { state, why, mayBeDrawn } = readState(task.status ?? task.state ?? '', imageUrl !== undefined);
    const common = {
      id: task.id,
      createdAt: task.created_at,
      flagged: task.result.flagged ?? task.flagged ?? task.nsfw,
      cost: task.cost,
      seed: task.seed,
      expiresAt: task.expires_at,
      reference: task.reference,
    };
    switch (state) {
      case 'completed':
        return {
          ...common,
          state,
          imageUrl,
          notDrawn: task.not_drawn,
        };
      case 'failed':
        return {
          ...common,
          state,
          reason: readError(task.error).message ?? why,
          errorCode: task.error_code,
          mayBeDrawn,
        };
      default:
        return {
          ...common,
          state,
          progress: task.progress,
          queuePosition: task.queue_position,
          etaSeconds: task.eta_seconds,
          previewUrl: task.preview_url,
        };
    }
  });

/** What is told of a task in any state. Whatever the service does not tell is undefined. */
interface ToldTask {
  id: string | undefined;
  createdAt: Date | undefined;
  /** Whether the service says that the picture is not for everybody. */
  flagged: boolean | undefined;
  /** Credits. */
  cost: number | undefined;
  seed: number | undefined;
  /** When the picture will be removed. */
  expiresAt: Date | undefined;
  /** The caller's own word for it. */
  reference: string | undefined;
}

export interface TaskUnderWay extends ToldTask {
  state: 'pending' | 'processing';
  /** Percent, from 0 to 100. */
  progress: number | undefined;
  queuePosition: number | undefined;
  etaSeconds: number | undefined;
  /** May be relative to the service's address. */
  previewUrl: string | undefined;
}

export interface CompletedTask extends ToldTask {
  state: 'completed';
  /** May be relative to the service's address. Undefined where the service is late with it. */
  imageUrl: string | undefined;
  notDrawn: string[] | undefined;
}

export interface FailedTask extends ToldTask {
  state: 'failed';
  /** The service's own sentence, or its word for the state where that says why. */
  reason: string | undefined;
  errorCode: string | undefined;
  /** Whether there may have been a picture, which is withheld, and paid. */
  mayBeDrawn: boolean;
}

/** A task as the client returns it. */
export type Task = TaskUnderWay | CompletedTask | FailedTask;

/**
 * What is sent to a webhook: what the task's status answers when it has ended, without what is said there of the
 * webhook.
 */
export const taskEnded = schema(
  envelope(schema<CompletedAnswer | FailedAnswer>(z.discriminatedUnion('status', [completed, failed]))).meta({
    id: 'TaskEnded',
  }),
);

const answer = { sent: taskStatus, read: readTask };

/** The id that a submission was answered with. */
const textId = z.string().regex(/\S/, 'is missing: add it to the request');

/**
 * A key may stand in the query of every operation. This schema names it instead of being loose, because a loose one
 * makes a poll a tenth slower.
 */
const statusQuery = z.object({ task_id: textId, api_key: z.unknown().optional() });
const waitingQuery = statusQuery.extend({ wait });
export const status = {
  method: 'GET',
  ...v1('task_status'),
  tag: 'tasks',
  summary: 'How a task is doing',
  description: 'With `wait`, the answer comes when the task ends, or after so many seconds.',
  auth: 'key',
  query: taking(waitingQuery),
  answer,
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS, 'task_not_found', 'parameter_out_of_range'],
} as const satisfies Operation;

/** Ids of `rr3` are digits, few enough for a number to hold them exactly. */
const taskId = z.union([textId, z.number()]);

/** The answer is the task as it then is. */
export const cancel = {
  method: 'POST',
  ...v1('cancel_task'),
  tag: 'tasks',
  summary: 'Cancel a task',
  description: 'The id may also stand in the query.',
  auth: 'key',
  body: taking(z.object({ task_id: taskId })),
  answer,
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS, ...BODY_ERRORS, 'task_not_found'],
} as const satisfies Operation;

/** What is under way, or waits for its next attempt, is left alone. The answer is the task as it then is. */
export const resendWebhook = {
  method: 'POST',
  ...v1('resend_webhook'),
  tag: 'webhooks',
  summary: "Send a task's webhook again",
  description: 'Once it was delivered or given up, and under the same `webhook-id`.',
  auth: 'key',
  body: taking(z.object({ task_id: taskId })),
  answer,
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS, ...BODY_ERRORS, 'task_not_found', 'no_webhook'],
} as const satisfies Operation;

const PAGE = { default: 20, max: 100 };
/** Of the longest page: of each task ten thousand characters, all of which may be escaped, and what else is told. */
const PAGE_MAX_BYTES = 8 * 1024 ** 2;

/** What a task was asked for, and when it ended. Of a graph, what can be read from it. */
const history = {
  workflow: z.string(),
  prompt: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  steps: z.int().optional(),
  operation: z.enum(TASK_OPERATIONS).optional(),
  /** The pictures that it began with: `upload:ID`, `task:ID`. */
  made_from: z.array(z.string()).optional(),
  finished_at: z.iso.datetime().optional(),
};
interface HistoryAnswer extends z.infer<z.ZodObject<typeof history>> {}
const listedTask: Schema<ListedTaskAnswer> = z
  .discriminatedUnion('status', [underWay.extend(history), completed.extend(history), failed.extend(history)])
  .meta({ id: 'ListedTask' });
export type ListedTaskAnswer = TaskStatusAnswer & HistoryAnswer;

/** As far as the service tells. */
const readHistory = schema(
  z
    .object({
      workflow: looseText,
      prompt: looseText,
      width: looseNumber,
      height: looseNumber,
      steps: looseNumber,
      operation: looseText,
      made_from: z.array(z.string()).catch([]),
      finished_at: looseMoment,
    })
    .transform(({ made_from, finished_at, ...asked }) => ({
      ...asked,
      /** The pictures that it began with: `upload:ID`, `task:ID`. */
      madeFrom: made_from,
      finishedAt: finished_at,
    })),
);

/** Newest first. `next` is what `after` asks the following page with, and null on the last. */
const readPage = schema(
  z
    .looseObject({ tasks: z.array(z.intersection(readTask, readHistory)), next: looseText })
    .transform(({ tasks, next }) => ({ tasks, next })),
);
export type TaskPage = z.infer<typeof readPage>;
export const list = {
  method: 'GET',
  ...v1('task_list'),
  tag: 'tasks',
  summary: "The account's tasks, with what each was asked for",
  auth: 'key',
  query: taking(
    z.looseObject({
      status: z.enum(TASK_STATES).optional(),
      limit: z.coerce.number().min(1).max(PAGE.max).int().default(PAGE.default),
      after: z
        .string()
        .regex(/^\d{1,15}\.[\w-]+$/, 'must be the next of the previous page')
        .optional(),
    }),
  ),
  answer: {
    sent: schema(z.object({ tasks: z.array(listedTask), next: z.string().nullable() })),
    read: readPage,
    maxBytes: PAGE_MAX_BYTES,
  },
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS, 'parameter_out_of_range'],
} as const satisfies Operation;
