import { invalidFormBody } from '../rules/form-errors.ts';
import { compareIds } from '../state/snowflakes.ts';

/** The `limit` of a list. Throws 50035 outside of 1 to `max`. */
export function pageSize(
  text: string | undefined,
  { fallback, max }: { fallback: number; max: number },
): number {
  const limit = text === undefined ? fallback : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw invalidFormBody(['limit'], 'NUMBER_TYPE_MAX', `int value should be between 1 and ${max}.`);
}

/** What a list shows of users: those after one, by their ids, up to its `limit`. Throws 50035. */
export function pageAfter<T extends { userId: string }>(
  all: readonly T[],
  query: { limit?: string; after?: string },
  size: { fallback: number; max: number },
): T[] {
  const limit = pageSize(query.limit, size);
  return all
    .filter(({ userId }) => compareIds(userId, query.after ?? '0') > 0)
    .sort((a, b) => compareIds(a.userId, b.userId))
    .slice(0, limit);
}
