/** How often a statement runs before it is prepared: some run once, and each that is prepared takes memory at the server. */
const THRESHOLD = 5;
const MAX_PREPARED = 500;
const MAX_COUNTED = 5_000;

/** Names under which PostgreSQL keeps the plans of statements that run often; undefined for all others. */
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
    const added = `darkroom_${names.size}`;
    names.set(sql, added);
    return added;
  };
}
