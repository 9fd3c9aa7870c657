import { TASK_OPERATIONS, type TaskOperation, WORKFLOWS } from '@darkroom/image-api/contract';
import { z } from 'zod';
import type { Workload } from '../engines/workload.ts';

const MAX_CREDITS = 1_000_000;
const EXPECTED_TARIFF = `expected credits from 0 to ${MAX_CREDITS}: a number, or an object with picture, megapixel and step`;
const credits = z.number(EXPECTED_TARIFF).min(0, EXPECTED_TARIFF).max(MAX_CREDITS, EXPECTED_TARIFF);

/** The price of a workflow in credits: for each picture, plus for each megapixel and each step. */
export const tariff = z.union(
  [
    credits.transform((picture) => ({ picture, megapixel: 0, step: 0 })),
    z.strictObject(
      { picture: credits.default(0), megapixel: credits.default(0), step: credits.default(0) },
      EXPECTED_TARIFF,
    ),
  ],
  EXPECTED_TARIFF,
);

/** Those with prices of their own. */
const PRICED = [...WORKFLOWS, ...TASK_OPERATIONS.filter((operation) => operation !== 'generate')] as const;

/**
 * Prices by workflow and by what is made of pictures, e.g.
 * `{ "default": 1, "upscale": 0.5, "rr3": { "picture": 0.5, "megapixel": 1, "step": 0.01 } }`.
 */
export const priceList = z.partialRecord(
  z.enum(PRICED),
  tariff,
  `expected an object with prices of ${PRICED.join(', ')}`,
);
export type PriceList = Readonly<Record<string, z.infer<typeof tariff>>>;

/** The price of a drawing in credits, not rounded; `toMilli` rounds it to thousandths. */
export type Price = (drawing: Workload & { workflow: string }) => number;

/** What is made of pictures in no steps. */
const FILTERS: ReadonlySet<TaskOperation> = new Set(['upscale', 'remove_background']);

/** Prices from a list. An operation that is not in it costs what its workflow does, and a workflow one credit. */
export function createPrice(list: PriceList = {}): Price {
  return ({ workflow, operation, pictures, pixels, steps }) => {
    const { picture, megapixel, step } = list[operation] ??
      list[workflow] ?? { picture: 1, megapixel: 0, step: 0 };
    return (
      picture * pictures + (megapixel * pixels) / 1_000_000 + (FILTERS.has(operation) ? 0 : step * steps)
    );
  };
}
