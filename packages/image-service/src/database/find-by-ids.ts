import type { Compilable } from 'kysely';
import { compileOnce, type Placeholders } from './compiled-query.ts';
import type { ServiceDatabase } from './database.ts';

/** The most ids that one statement takes. */
export const MAX_FOUND = 64;
/** Smallest first: most requests come alone, and cost less with a small statement. */
const SIZES = [1, 8, MAX_FOUND];

/** A query by ids, of which there may be up to `MAX_FOUND`. Where there are fewer than its statement has, the last is repeated. */
export function findByIds<Row>(
  build: (db: ServiceDatabase, ids: string[]) => Compilable<Row>,
): (db: ServiceDatabase, ids: readonly string[]) => Promise<Row[]> {
  const statements = SIZES.map((size) => {
    const places = Array.from({ length: size }, (_, place) => `${place}`);
    const find = compileOnce((db, id: Placeholders<Readonly<Record<string, string>>>) =>
      build(db, places.map(id)),
    );
    return {
      size,
      find: (db: ServiceDatabase, ids: readonly string[]) =>
        find(db, Object.fromEntries(places.map((place, at) => [place, ids[at] ?? ids.at(-1) ?? '']))),
    };
  });
  return async (db, ids) => {
    const statement = statements.find(({ size }) => size >= ids.length);
    if (!statement) throw new Error(`a statement takes at most ${MAX_FOUND} ids`);
    return statement.find(db, ids);
  };
}
