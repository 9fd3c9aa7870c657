import type { Compilable } from 'kysely';
import { compileOnce, type Placeholders } from './compiled-query.ts';
import type { ServiceDatabase } from './database.ts';

/** Largest first: any number of rows is few statements, and all of them are compiled once. */
const SIZES = [16, 8, 4, 2, 1];

/** A statement that takes any number of rows, in their order: what it returns of all of them. */
export function withRows<Row extends object, Returned>(
  columnsOfRow: NoInfer<Readonly<Record<keyof Row & string, true>>>,
  build: (db: ServiceDatabase, rows: Row[]) => Compilable<Returned>,
): (db: ServiceDatabase, rows: readonly Row[]) => Promise<Returned[]> {
  // All of them, by its type.
  const columns = Object.keys(columnsOfRow) as (keyof Row & string)[];
  const statements = SIZES.map((size) => {
    const places = Array.from({ length: size }, (_, place) => place);
    const run = compileOnce((db, value: Placeholders<Readonly<Record<string, unknown>>>) =>
      build(
        db,
        // Each place has the values of a row under their names.
        places.map(
          (place) => Object.fromEntries(columns.map((name) => [name, value(`${place} ${name}`)])) as Row,
        ),
      ),
    );
    return {
      size,
      run: (db: ServiceDatabase, rows: readonly Row[]) =>
        run(
          db,
          Object.fromEntries(
            rows.flatMap((row, place) => columns.map((name) => [`${place} ${name}`, row[name]] as const)),
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
