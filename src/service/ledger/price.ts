import { z } from 'zod';
import { WORKFLOWS, type Workflow } from '../../contract/limits.ts';
import type { Work } from '../engines/work.ts';

/** What a drawing costs, in credits, down to a thousandth. */
export type Price = (work: Work & { workflow: Workflow }) => number;

const MAX_CREDITS = 1_000_000;
const credits = z.number().min(0).max(MAX_CREDITS);

/** A workflow's price: credits for a picture, and on top of that for each megapixel and each step. */
const tariff = z.union(
  [
    credits.transform((picture) => ({ picture, megapixel: 0, step: 0 })),
    z.strictObject({
      picture: credits.default(0),
      megapixel: credits.default(0),
      step: credits.default(0),
    }),
  ],
  `expected credits from 0 to ${MAX_CREDITS}: a number, or an object with picture, megapixel and step`,
);

/** Prices by workflow, e.g. `{ "default": 1, "rr3": { "picture": 0.5, "megapixel": 1, "step": 0.01 } }`. */
export const priceList = z.partialRecord(z.enum(WORKFLOWS), tariff);

export type PriceList = z.infer<typeof priceList>;

/** The price by a list; a workflow that is not in it costs one credit. */
export function createPrice(list: PriceList = {}): Price {
  return ({ workflow, pixels, steps }) => {
    const { picture, megapixel, step } = list[workflow] ?? { picture: 1, megapixel: 0, step: 0 };
    return picture + (megapixel * pixels) / 1_000_000 + step * steps;
  };
}
