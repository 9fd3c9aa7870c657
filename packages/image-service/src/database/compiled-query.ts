import type { Compilable, CompiledQuery } from 'kysely';
import type { ServiceDatabase } from './database.ts';

/** Returns the placeholder of a parameter, to be used in place of its value. */
export type Placeholders<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

const PLACEHOLDER = Symbol('placeholder');
type Placeholder = Readonly<Record<typeof PLACEHOLDER, string>>;

const isPlaceholder = (value: unknown): value is Placeholder =>
  typeof value === 'object' && value !== null && PLACEHOLDER in value;

/**
 * A query that is built and compiled once for each kind of database, for those that run on every request: Kysely
 * takes longer to build a query than the database to run it. `db` may be a transaction.
 */
export function compileOnce<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: ServiceDatabase, value: Placeholders<Values>) => Compilable<Row>,
): (db: ServiceDatabase, values: Values) => Promise<Row[]> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  // The compiler passes any value on as a parameter without looking at it, so a placeholder may stand for each type.
  const placeholders = ((name: string): Placeholder => ({
    [PLACEHOLDER]: name,
  })) as unknown as Placeholders<Values>;
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    const query: CompiledQuery<Row> = compiled.get(kind) ?? build(db, placeholders).compile();
    compiled.set(kind, query);
    const parameters = query.parameters.map((value) =>
      isPlaceholder(value) ? values[value[PLACEHOLDER]] : value,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
