import { z } from 'zod';
import { graph } from './graph.ts';
import { LIMITS, WORKFLOWS } from './limits.ts';
import { looseId, looseNumber, looseText } from './reading.ts';

/** Bounds first: of a number that is beyond them, they are what is wrong, and not what an integer can hold. */
const integer = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max).int();

/**
 * The body of a submission, exactly as the interface lists it. What is left out is the service's to choose;
 * `HONOURED_BY` says where `cfg` and `model` have an effect.
 */
export const submission = z.strictObject({
  prompt: z.union([z.string().trim().min(1), graph]),
  negative_prompt: z.string().optional(),
  width: integer(LIMITS.width).optional(),
  height: integer(LIMITS.height).optional(),
  steps: integer(LIMITS.steps).optional(),
  workflow: z.enum(WORKFLOWS).optional(),
  seed: integer(LIMITS.seed).optional(),
  cfg: z.number().min(LIMITS.cfg.min).max(LIMITS.cfg.max).optional(),
  model: z.string().min(1).optional(),
});
export type Submission = z.infer<typeof submission>;

const additions = {
  cost: z.number().optional(),
  seed: z.int().optional(),
  warnings: z.array(z.string()).optional(),
};

/** `data` of an accepted submission to `default`, `anime` or `z-image`; `cost`, `seed`, `warnings` are our additions. */
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
  check_status: z.string(),
  ...additions,
});

/** `data` of an accepted submission, whatever its workflow. */
export const taskQueued = z.union([graphTaskQueued, rr3TaskQueued]);
export type QueuedAnswer = z.infer<typeof taskQueued>;

/** Either answer, as it is read. Of everything in it only the id is needed to follow the task. */
export const readQueued = z
  .looseObject({ id: looseId, cost: looseNumber, message: looseText })
  .transform(({ id, cost, message }) => ({ taskId: id, cost, message }));
export type QueuedTask = z.infer<typeof readQueued>;
