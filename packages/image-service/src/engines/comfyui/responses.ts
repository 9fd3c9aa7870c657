import { z } from 'zod';

/*
 * Schemas of ComfyUI's responses. They are loose: fields that are not needed are not checked, and what some versions
 * leave out is optional.
 */

/** What is no text is as good as left out. */
const text = z.string().optional().catch(undefined);

export const systemStats = z.looseObject({ system: z.looseObject({ comfyui_version: text }) });

export const queueLength = z.looseObject({ exec_info: z.looseObject({ queue_remaining: z.number() }) });

export const modelNames = z.array(z.string());

/**
 * What an input may be: the values themselves, or since the nodes' third interface `COMBO` with the values as
 * options.
 */
const choices = z.union([
  z.tuple([z.array(z.string())], z.unknown()).transform(([values]) => values),
  z
    .tuple([z.literal('COMBO'), z.looseObject({ options: z.array(z.string()) })])
    .transform(([, { options }]) => options),
]);
/** Node class → its inputs; empty where the installation has no such class. */
export const objectInfo = z.record(
  z.string(),
  z.looseObject({ input: z.looseObject({ required: z.record(z.string(), choices.catch([])) }) }),
);

/** A file that was uploaded, under the name that the server gives it. */
export const uploaded = z.looseObject({ name: z.string().min(1), subfolder: z.string(), type: z.string() });

const nodeError = z.looseObject({
  errors: z.array(z.looseObject({ message: text, details: text })).catch([]),
});
/** Node id → what is wrong with it. Some versions send an empty list where there is nothing. */
const nodeErrors = z.record(z.string(), nodeError).catch({});
export type NodeErrors = z.infer<typeof nodeErrors>;

export const promptAccepted = z.looseObject({ prompt_id: z.string().min(1), node_errors: nodeErrors });

export const promptRefused = z.looseObject({
  error: z
    .union([z.string().transform((message) => ({ message })), z.looseObject({ message: z.string() })])
    .transform(({ message }) => message)
    .catch('The prompt was refused.'),
  node_errors: nodeErrors,
});

const imageFile = z.looseObject({
  filename: z.string().min(1),
  subfolder: z.string().nullish(),
  type: z.string().nullish(),
});
export type ImageFile = z.infer<typeof imageFile>;

const outputs = z
  .record(
    z.string(),
    z
      .looseObject({ images: z.array(imageFile.nullable().catch(null)).optional().catch(undefined) })
      .catch({}),
  )
  .catch({});
export type Outputs = z.infer<typeof outputs>;

/** The events of an execution in order; the last one tells how it ended. */
const executionStatus = z
  .looseObject({
    status_str: text,
    messages: z.array(z.tuple([z.string(), z.unknown()], z.unknown()).nullable().catch(null)).catch([]),
  })
  .nullish()
  .catch(undefined);
export type ExecutionStatus = z.infer<typeof executionStatus>;

export const executionError = z
  .looseObject({ node_id: text, exception_type: text, exception_message: text })
  .catch({});
export type ExecutionError = z.infer<typeof executionError>;

const historyEntry = z.looseObject({ outputs, status: executionStatus });
export const history = z.record(z.string(), historyEntry);

/** In the extra data of a prompt: that it is ours, whichever process has submitted it. */
export const OURS = { darkroom: true } as const;
const ours = z.looseObject({ darkroom: z.literal(OURS.darkroom) });
const queueItem = z
  .tuple([z.unknown(), z.string()], z.unknown())
  .transform(([, id, , extra]) => ({ id, isOurs: ours.safeParse(extra).success }));
export type QueuedPrompt = z.infer<typeof queueItem>;
export const queue = z.looseObject({
  queue_running: z.array(queueItem),
  queue_pending: z.array(queueItem),
});

export const job = z.looseObject({
  status: z.string(),
  outputs: outputs.optional(),
  execution_status: executionStatus,
});
