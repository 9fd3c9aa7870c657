import type { Kysely } from 'kysely';

/** The databases differ in how a column is incremented automatically. */
export type Dialect = 'sqlite' | 'postgres';

/** Builds tables and runs `sql`. It has no types of tables, as those of a later version are others. */
export type MigrationDatabase = Pick<Kysely<unknown>, 'schema' | 'getExecutor'>;

/** A change of the tables. A released one is never edited, nor is its name. */
export interface Migration {
  /** Its number and what it is about, as its file is called. */
  name: string;
  /** Called once for each database, in a transaction that also records it. */
  up(db: MigrationDatabase, dialect: Dialect): Promise<void>;
}
