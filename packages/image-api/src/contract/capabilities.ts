import { z } from 'zod';
import { ANY_REQUEST_ERRORS, KEY_ERRORS } from './error-codes.ts';
import { looseFlag, looseNumber, looseText } from './loose.ts';
import { type Operation, v1 } from './operation.ts';
import { type Schema, schema } from './schema.ts';
import { workflowName } from './submission.ts';
import { TASK_OPERATIONS, type TaskOperation } from './task-operation.ts';

/** Parameters of a submission that have no effect in every workflow. */
export const EFFECTS = ['negative_prompt', 'steps', 'seed', 'cfg', 'model', 'variation_of', 'nsfw'] as const;

/** Credits for a picture of the default size. */
const cost = z.number();
/** `only_drawn`: it works with pictures that the same engine has drawn, and with no others. */
const ofPictures = { cost, only_drawn: z.boolean().optional() };
const operations = z.object({
  edit: z.object({ images: z.int(), mask: z.boolean(), strength: z.boolean(), cost }).optional(),
  upscale: z.object({ scales: z.array(z.int()), ...ofPictures }).optional(),
  expand: z.object(ofPictures).optional(),
  remove_background: z.object(ofPictures).optional(),
});

/** What can be asked for in a workflow now. One whose models nobody has is left out. */
const workflow = z
  .object({
    name: workflowName,
    /** Who draws it: `sketch`, `comfyui`, `sdwebui`, `hosted`, `horde`. */
    engine: z.string(),
    /** Whether a submission is taken now, and else when to ask again. */
    available: z.boolean(),
    retry_after_seconds: z.int().optional(),
    effects: z.array(z.enum(EFFECTS)),
    /** What `model` may name, as far as it can be listed. */
    models: z.array(z.string()),
    /** Sizes in pixels: sides become multiples of `step`. */
    size: z.object({ width: z.int(), height: z.int(), step: z.int(), max_pixels: z.int() }),
    steps: z.object({ default: z.int(), max: z.int() }),
    graphs: z.boolean(),
    /** Left out where something is drawn from words alone, as nearly everywhere. */
    from_words: z.literal(false).optional(),
    previews: z.boolean(),
    cancelling: z.boolean(),
    /** Whether prompts and pictures pass through the hands of strangers. */
    seen_by_strangers: z.boolean(),
    /**
     * Whose machines they are sent to, where not the operator's own or those strangers': a name as people know it.
     */
    sent_to: z.string().optional(),
    /** Credits for a picture of the default size in the default steps. */
    cost: z.number(),
    operations,
  })
  .meta({ id: 'Workflow' });

const sent = schema(
  z
    .object({
      workflows: z.array(workflow),
      limits: z.object({
        running: z.int(),
        waiting: z.int(),
        per_minute: z.int(),
        /** From its submission; then a task fails. */
        task_seconds: z.int(),
      }),
    })
    .meta({ id: 'Capabilities' }),
);
export type CapabilitiesAnswer = z.infer<typeof sent>;

const texts = z.array(z.string()).catch([]);

const looseDefaults = z
  .looseObject({ width: looseNumber, height: looseNumber, default: looseNumber })
  .catch({ width: undefined, height: undefined, default: undefined });

/** What one operation of a workflow takes, as far as the service says. */
const readOperation = schema(
  z
    .object({
      /** The most pictures that it begins with. */
      images: looseNumber,
      mask: looseFlag,
      /** Whether `strength` has an effect. */
      strength: looseFlag,
      only_drawn: looseFlag,
      /** Credits. */
      cost: looseNumber,
    })
    .transform(({ only_drawn, ...told }) => ({
      ...told,
      /** Works with nothing but pictures of tasks that the same engine has drawn. */
      onlyDrawn: only_drawn ?? false,
    })),
);
type OperationOffer = z.infer<typeof readOperation>;

type OperationOffers = Partial<Record<TaskOperation, OperationOffer>>;

/** An operation that cannot be read is not offered, nor is one that nobody knows here. */
const readOperations: Schema<OperationOffers> = z
  .partialRecord(z.string(), readOperation.nullable().catch(null))
  .catch({})
  .transform((given) => {
    const known = TASK_OPERATIONS.flatMap((name) => (given[name] ? [[name, given[name]] as const] : []));
    return Object.fromEntries(known);
  });

/** What can be asked for in one workflow. */
const readWorkflow = schema(
  z
    .object({
      name: workflowName,
      engine: looseText,
      available: looseFlag,
      effects: texts,
      /** What `model` may name, as far as the service lists it. */
      models: texts,
      from_words: looseFlag,
      seen_by_strangers: looseFlag,
      sent_to: looseText,
      size: looseDefaults,
      steps: looseDefaults,
      /** Credits for a picture of the default size in the default steps. */
      cost: looseNumber,
      /** What can be made of pictures; nothing where the service does not say. */
      operations: readOperations,
    })
    .transform(({ size, steps, from_words, seen_by_strangers, sent_to, available, ...told }) => ({
      ...told,
      available: available ?? true,
      /** What is drawn where a submission does not say it. Pixels. */
      width: size.width,
      height: size.height,
      steps: steps.default,
      /** Whether something is drawn from words alone. */
      fromWords: from_words ?? true,
      /** Whether prompts and pictures pass through the hands of strangers. */
      seenByStrangers: seen_by_strangers ?? false,
      /** Whose machines prompts and pictures are sent to, where the service names somebody. */
      sentTo: sent_to,
    })),
);
export type WorkflowOffer = z.infer<typeof readWorkflow>;

/** A workflow that cannot be read is left out; an answer without a list of them is none. */
const read = schema(
  z
    .looseObject({ workflows: z.array(readWorkflow.nullable().catch(null)) })
    .transform(({ workflows }) => ({ workflows: workflows.filter((each) => each !== null) })),
);
export type Capabilities = z.infer<typeof read>;

export const capabilities = {
  method: 'GET',
  ...v1('capabilities'),
  tag: 'tasks',
  summary: 'What can be asked for',
  description:
    'The workflows with what has an effect in them, and the limits of the key: its own, or those that it shares with others of its account.',
  auth: 'key',
  answer: { sent, read },
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS],
} as const satisfies Operation;
