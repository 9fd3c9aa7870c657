import { z } from 'zod';

/**
 * Schemas for reading answers loosely. A service may leave a field out, send `null` for it, or send numbers as text; a value
 * that does not fit counts as absent and never makes the whole answer unreadable.
 */
const absent = undefined;

/** A finite number, also from text such as `"12.5"`. */
export const numeric = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,300}(\.\d+)?$/)
    .transform(Number),
]);

/** The same, absent where there is none. */
export const looseNumber = numeric
  .nullish()
  .transform((value) => value ?? absent)
  .catch(absent);

/** Text that is not empty. */
export const looseText = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || absent)
  .catch(absent);

/** An identifier: text, or an integer that JSON carried exactly. */
export const looseId = z.union([z.string().trim().min(1), z.int().nonnegative().transform(String)]);

/** A moment: ISO 8601, `Y-m-d H:i:s` (UTC), or seconds or milliseconds since the epoch, also as text. */
export const looseMoment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null ? absent : readMoment(value)))
  .catch(absent);

function readMoment(value: string | number): Date | undefined {
  const number = typeof value === 'number' ? value : /^\d{9,14}$/.test(value) ? Number(value) : Number.NaN;
  // Seconds stay below 1e11 until the year 5138; milliseconds have been above it since 1973.
  const moment = Number.isNaN(number)
    ? new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(`${value}`) ? `${value}Z`.replace(' ', 'T') : value)
    : new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(moment.getTime()) ? absent : moment;
}
