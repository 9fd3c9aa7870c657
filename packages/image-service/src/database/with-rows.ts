import type { Compilable } from 'kysely';
import { compileOnce, type Placeholders } from './compiled-query.ts';
import type { ServiceDatabase } from './database.ts';

/** Largest first: any number of rows is few statements, and all of them are compiled once. */
const SIZES = [16, 8, 4, 2, 1];

/** A statement that writes any number of rows, in their order: what it returns of all of them. */
export function withRows<Row extends object, Written, Returned>(
  toRow: (value: Placeholders<Row>) => Written,
  build: (db: ServiceDatabase, rows: Written[]) => Compilable<Returned>,
): (db: ServiceDatabase, rows: readonly Row[]) => Promise<Returned[]> {
  const statements = SIZES.map((size) => {
    const places = Array.from({ length: size }, (_, place) => place);
    const run = compileOnce((db, value: Placeholders<Readonly<Record<string, unknown>>>) =>
      // Each place has the values of a row under their names.
      build(
        db,
        places.map((place) => toRow(((name: string) => value(`${place} ${name}`)) as Placeholders<Row>)),
      ),
    );
    return {
      size,
      run: (db: ServiceDatabase, rows: readonly Row[]) =>
        run(
          db,
          Object.fromEntries(
            rows.flatMap((row, place) =>
              Object.entries(row).map(([name, value]) => [`${place} ${name}`, value] as const),
            ),
          ),
        ),
    };
  });
  return async (db, rows) => {
    const returned: Returned[] = [];
    let from = 0;
    for (const { size, run } of statements) {
      for (; rows.length - from >= size; from += size)
        returned.push(...(await run(db, rows.slice(from, from + size))));
    }
    return returned;
  };
}
