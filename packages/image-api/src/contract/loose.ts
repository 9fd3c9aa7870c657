import { z } from 'zod';

/**
 * Schemas for reading answers loosely. A service may leave a field out, send `null` for it, or send numbers as text;
 * a value that does not fit counts as absent and never makes the whole answer unreadable. Each is one step and not a
 * pipeline, because every poll reads a dozen of them.
 */

/** A finite number, also from text such as `"12.5"`. */
export const numeric = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,300}(\.\d+)?$/)
    .transform(Number),
]);

const readNumber = (value: unknown): number | undefined =>
  value == null ? undefined : numeric.safeParse(value).data;

/** The same, absent where there is none. */
export const looseNumber = z.transform(readNumber);

/** A whole number from 0, absent where there is none. */
export const looseCount = z.transform((value: unknown) => {
  const number = readNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
});

/** Text that is not empty. */
export const looseText = z.transform((value: unknown) =>
  typeof value === 'string' ? value.trim() || undefined : undefined,
);

/** Yes or no, also as a number or text. */
export const looseFlag = z.transform((value: unknown) => {
  if (typeof value === 'string') return /^(true|yes|1)$/i.test(value.trim());
  return typeof value === 'boolean' || typeof value === 'number' ? value !== false && value !== 0 : undefined;
});

/** An identifier: text, or an integer that JSON carried exactly. */
export const looseId = z.union([z.string().trim().min(1), z.int().nonnegative().transform(String)]);

/**
 * A moment: ISO 8601 or `Y-m-d H:i:s`, in UTC where it names no zone, or seconds or milliseconds since the epoch, also
 * as text.
 */
export const looseMoment = z.transform((value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? readMoment(value) : undefined,
);

/** Without a zone, which `Date` would take for the machine's own. */
const ZONELESS = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

function readMoment(value: string | number): Date | undefined {
  const number = typeof value === 'number' ? value : /^\d{9,14}$/.test(value) ? Number(value) : Number.NaN;
  // Seconds stay below 1e11 until the year 5138; milliseconds have been above it since 1973.
  const moment = Number.isNaN(number)
    ? new Date(ZONELESS.test(`${value}`) ? `${value}Z`.replace(' ', 'T') : value)
    : new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
