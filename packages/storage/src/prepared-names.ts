import { createHash } from 'node:crypto';

/**
 * How often a statement runs before it is prepared: some run once, and each that is prepared takes memory at the
 * server.
 */
const THRESHOLD = 5;
const MAX_PREPARED = 500;
const MAX_COUNTED = 5_000;

/**
 * Names under which PostgreSQL keeps the plans of statements that run often; undefined for all others. A name says
 * which statement it is: behind a pooler processes share sessions, and none may run what another has prepared in its
 * place.
 */
export function createPreparedNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const runs = new Map<string, number>();
  return (sql) => {
    const name = names.get(sql);
    if (name !== undefined || names.size === MAX_PREPARED) return name;
    const count = (runs.get(sql) ?? 0) + 1;
    if (count < THRESHOLD) {
      if (runs.size < MAX_COUNTED || runs.has(sql)) runs.set(sql, count);
      return undefined;
    }
    runs.delete(sql);
    const added = `darkroom_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    names.set(sql, added);
    return added;
  };
}
