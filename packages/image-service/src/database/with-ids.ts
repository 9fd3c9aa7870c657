import type { Compilable } from 'kysely';
import { compileOnce, type Placeholders } from './compiled-query.ts';
import type { ServiceDatabase } from './database.ts';

export const MAX_IDS = 64;
/** Smallest first: most requests come alone, and cost less with a small statement. */
const SIZES = [1, 8, 16, MAX_IDS];

/**
 * A statement for up to `MAX_IDS` ids, and for other values where it has some. Where there are fewer ids than it has
 * places, the last one stands in the others as well; for none of them nothing is asked.
 */
export function withIds<Id extends number | string, Row, Values extends object = Record<never, never>>(
  build: (db: ServiceDatabase, ids: Id[], value: Placeholders<Values>) => Compilable<Row>,
): (db: ServiceDatabase, ids: readonly Id[], values: Values) => Promise<Row[]> {
  const statements = SIZES.map((size) => {
    const places = Array.from({ length: size }, (_, place) => `id ${place}`);
    const run = compileOnce((db, value: Placeholders<Values & Readonly<Record<string, unknown>>>) =>
      // A place holds an id, and the other names are those of the values.
      build(
        db,
        places.map((place) => value(place) as Id),
        value as Placeholders<Values>,
      ),
    );
    return {
      size,
      run: (db: ServiceDatabase, ids: readonly Id[], values: Values) =>
        run(db, {
          ...values,
          ...Object.fromEntries(places.map((place, at) => [place, ids[at] ?? ids.at(-1)])),
        }),
    };
  });
  return async (db, ids, values) => {
    if (ids.length === 0) return [];
    const statement = statements.find(({ size }) => size >= ids.length);
    if (!statement) throw new Error(`a statement takes at most ${MAX_IDS} ids`);
    return statement.run(db, ids, values);
  };
}
