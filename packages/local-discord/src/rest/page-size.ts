import { invalidFormBody } from '../rules/errors.ts';

/** The `limit` of a list. Throws 50035 outside of 1 to `max`. */
export function pageSize(
  text: string | undefined,
  { fallback, max }: { fallback: number; max: number },
): number {
  const limit = text === undefined ? fallback : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw invalidFormBody(['limit'], 'NUMBER_TYPE_MAX', `int value should be between 1 and ${max}.`);
}
