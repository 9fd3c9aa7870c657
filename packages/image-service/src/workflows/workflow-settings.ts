import { submission, TASK_OPERATIONS, WORKFLOWS, workflowName } from '@darkroom/image-api/contract';
import { z } from 'zod';
import { ENGINES, type EngineName } from '../engines/engine-names.ts';
import { type PriceList, tariff } from '../ledger/price.ts';

/** Its keys are the names. */
const engine = z.enum(
  Object.keys(ENGINES) as [EngineName],
  `expected one of the engines ${Object.keys(ENGINES).join(', ')}`,
);

const { negative_prompt, width, height, steps, cfg, model } = submission.shape;
const EXPECTED_WORKFLOW =
  'expected an engine, or an object with engine, like, model, negative_prompt, width, height, steps, cfg, price, cost';

const EXPECTED_LIST = 'expected an object with workflows by names of up to 32 small letters, digits, - and _';

/** How a workflow is drawn where the operator says so; what is left out stays as it is without the setting. */
const choice = z.strictObject(
  {
    engine: engine.optional(),
    /** The workflow of the interface that one of the operator's own is drawn like. */
    like: z.enum(WORKFLOWS).optional(),
    model,
    negative_prompt,
    width,
    height,
    steps,
    cfg,
    price: tariff.optional(),
    /** What a picture costs the operator, in the money of `HOSTED_COST`. */
    cost: z.number().positive().max(1_000).optional(),
  },
  EXPECTED_WORKFLOW,
);
/** Of any engine that a service is given. */
export type WorkflowChoice = Omit<z.infer<typeof choice>, 'engine'> & { engine?: string | undefined };

const workflow = z.union(
  [engine.transform((name): z.infer<typeof choice> => ({ engine: name })), choice],
  EXPECTED_WORKFLOW,
);

/** Prices are by workflow and by operation, in one list. */
const ownName = workflowName.refine(
  (name) => !TASK_OPERATIONS.some((operation) => operation === name),
  `a workflow has another name than ${TASK_OPERATIONS.join(', ')}`,
);

/**
 * Workflows by name, e.g. `{ "default": "horde", "photo": { "engine": "comfyui", "model": "realvis", "price": 2 } }`.
 */
export const workflowList = z.record(ownName, workflow, EXPECTED_LIST);
type WorkflowSettings = z.infer<typeof workflowList>;

/** The prices that workflows have of their own. */
export const pricesIn = (settings: WorkflowSettings): PriceList =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, { price }]) => (price ? [[name, price]] : [])));
