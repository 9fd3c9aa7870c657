import { z } from 'zod';

const EXPECTED = 'expected an object with day, month or both, in the money of HOSTED_COST';
const money = z.number(EXPECTED).positive(EXPECTED).max(1_000_000, EXPECTED);

/** What engines may cost in a calendar day and month of UTC, e.g. `{ "day": 5, "month": 100 }`. */
export const budget = z
  .strictObject({ day: money.optional(), month: money.optional() }, EXPECTED)
  .refine(({ day, month }) => day !== undefined || month !== undefined, EXPECTED);
export type Budget = Readonly<z.infer<typeof budget>>;
