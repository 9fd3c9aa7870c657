import type { Compilable, CompiledQuery } from 'kysely';
import type { ServiceDatabase } from './database.ts';

/** Stands for a value that each run of a query brings along. */
export type Slots<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

const SLOT = Symbol('slot');
type Slot = Readonly<Record<typeof SLOT, string>>;

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && SLOT in value;

/**
 * A query that is built and compiled once for each kind of database, because it runs on every request: building it
 * costs more than running it. `db` may be a transaction.
 */
export function compileOnce<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: ServiceDatabase, value: Slots<Values>) => Compilable<Row>,
): (db: ServiceDatabase, values: Values) => Promise<Row[]> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  // A slot takes the place of any value; the compiler passes it on as a parameter without looking at it.
  const slots = ((name: string): Slot => ({ [SLOT]: name })) as unknown as Slots<Values>;
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    const query: CompiledQuery<Row> = compiled.get(kind) ?? build(db, slots).compile();
    compiled.set(kind, query);
    const parameters = query.parameters.map((value) => (isSlot(value) ? values[value[SLOT]] : value));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
