import type { Compilable } from 'kysely';
import { compileOnce, type Placeholders } from './compiled-query.ts';
import type { ServiceDatabase } from './database.ts';
import { inList } from './in-list.ts';

/** How many ids one statement is asked for at once, by those who collect them. */
export const MAX_IDS = 64;

/**
 * A statement for a list of ids, filled as `inList` does, and for other values where it has some. For no ids nothing is
 * asked.
 */
export function withIds<Id extends number | string, Row, Values extends object = Record<never, never>>(
  build: (db: ServiceDatabase, ids: Id[], value: Placeholders<Values>) => Compilable<Row>,
): (db: ServiceDatabase, ids: readonly Id[], values: Values) => Promise<Row[]> {
  const prepare = (size: number) =>
    compileOnce((db, value: Placeholders<Values & Readonly<Record<string, unknown>>>) =>
      // A place holds an id, and the other names are those of the values.
      build(
        db,
        Array.from({ length: size }, (_, at) => value(placeOf(at)) as Id),
        value as Placeholders<Values>,
      ),
    );
  const statements = new Map<number, ReturnType<typeof prepare>>();
  return async (db, ids, values) => {
    const filled = inList(ids);
    if (filled.length === 0) return [];
    const run = statements.get(filled.length) ?? prepare(filled.length);
    statements.set(filled.length, run);
    return run(db, { ...values, ...Object.fromEntries(filled.map((id, at) => [placeOf(at), id])) });
  };
}

const placeOf = (at: number): string => `id ${at}`;
