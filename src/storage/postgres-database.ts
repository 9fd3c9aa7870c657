import { connectPostgres, type Postgres, type PostgresOptions } from '@darkroom/storage/postgres';
import { isCurrent, LAYOUT_ROW } from './layout.ts';
import { createTables, type Dialect, inTransaction, type Query } from './sql-table.ts';
import { type Database, TABLE_NAMES, type Tables } from './table.ts';

/** Shorter than an operation on the store may take, so that the next one finds a connection that works. */
const STATEMENT_TIMEOUT_MS = 3_000;

/** Id of the advisory lock under which tables are made; any number that nothing else uses. */
const TABLES_LOCK = 4_281_002;

/** Likewise: that of work that is done alone. */
const ALONE_LOCK = 4_281_003;

/** Rows are locked in the order of their keys, so that statements of several processes cannot deadlock. */
const POSTGRES: Dialect = {
  isAmong: '= ANY(?)',
  several: (keys) => keys,
  isSelected: (select, lock) => `= ANY(ARRAY(${select} ${lock}))`,
  position: 'strpos',
  given: `SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[]) AS given (key) ORDER BY key COLLATE "C"`,
  parametersOf: (rows) => [
    rows.map(({ key }) => key),
    rows.map(({ text }) => text),
    rows.map(({ expires }) => expires),
  ],
};

/** Opens the tables of a store in the PostgreSQL database behind `url`, and makes them where they are missing. */
export async function openPostgresDatabase(
  url: string,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, ...options }: Omit<PostgresOptions, 'clock'>,
): Promise<Database> {
  const postgres = connectPostgres(url, { ...options, statementTimeoutMs });
  try {
    await onConnection(postgres, 'READ COMMITTED', makeTables);
    return {
      ...tablesOn(queryOf(postgres)),
      transaction: (work) => onConnection(postgres, 'REPEATABLE READ', (query) => work(tablesOn(query))),
      alone: (work) =>
        onConnection(postgres, 'READ COMMITTED', async (query) => {
          await query('SELECT pg_advisory_xact_lock(?)', ALONE_LOCK);
          return work(tablesOn(query));
        }),
      wipeDeleted: () => Promise.resolve(true),
      close: () => postgres.end(),
    };
  } catch (error) {
    await postgres.end();
    throw error;
  }
}

const tablesOn = (query: Query): Tables => createTables(query, POSTGRES);

/** PostgreSQL numbers its parameters. */
function queryOf(postgres: Pick<Postgres, 'query'>): Query {
  return async <Row extends object>(sql: string, ...parameters: unknown[]) => {
    let count = 0;
    const numbered = sql.replaceAll('?', () => `$${++count}`);
    return (await postgres.query<Row>(numbered, parameters)).rows;
  };
}

/** Does `work` in a transaction of its own. */
async function onConnection<Result>(
  postgres: Postgres,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const connection = await postgres.connect();
  const query = queryOf(connection);
  try {
    return await inTransaction(query, `BEGIN ISOLATION LEVEL ${isolation}`, () => work(query));
  } finally {
    connection.release();
  }
}

/** In one process after the other. */
async function makeTables(query: Query): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(?)', TABLES_LOCK);
  for (const table of Object.values(TABLE_NAMES)) {
    // In the order of their bytes, whatever the language of the database.
    await query(
      `CREATE TABLE IF NOT EXISTS ${table} (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires bigint)`,
    );
    await query(
      `CREATE INDEX IF NOT EXISTS ${table}_expires ON ${table} (expires) WHERE expires IS NOT NULL`,
    );
  }
  const { rows } = tablesOn(query);
  const [layout] = await rows.read([LAYOUT_ROW.key], Date.now());
  if (!isCurrent(layout?.text)) await rows.insert([LAYOUT_ROW], Date.now());
}
