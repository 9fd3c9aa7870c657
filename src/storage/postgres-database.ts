import type { Log } from '@darkroom/process';
import { connectPostgres, type Postgres } from '@darkroom/storage/postgres';
import { isCurrent, LAYOUT_ROW } from './layout.ts';
import type { Database, Table, TableRow, Tables } from './table.ts';

type Queries = Pick<Postgres, 'query'>;

/** Shorter than an operation on the store may take, so that the next one finds a connection that works. */
const STATEMENT_TIMEOUT_MS = 3_000;

/** Id of the advisory lock under which tables are made; any number that nothing else uses. */
const TABLES_LOCK = 4_281_002;

/** Likewise: that of work that is done alone. */
const ALONE_LOCK = 4_281_003;

/** Opens the tables of a store in the PostgreSQL database behind `url`, and makes them where they are missing. */
export async function openPostgresDatabase(
  url: string,
  { log, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: { log: Log; statementTimeoutMs?: number },
): Promise<Database> {
  const postgres = connectPostgres(url, { log, statementTimeoutMs });
  try {
    await inTransaction(postgres, 'READ COMMITTED', makeTables);
    return {
      ...tablesOn(postgres),
      transaction: (work) =>
        inTransaction(postgres, 'REPEATABLE READ', (connection) => work(tablesOn(connection))),
      alone: (work) =>
        inTransaction(postgres, 'READ COMMITTED', async (connection) => {
          await connection.query('SELECT pg_advisory_xact_lock($1)', [ALONE_LOCK]);
          return work(tablesOn(connection));
        }),
      wipeDeleted: () => Promise.resolve(true),
      close: () => postgres.end(),
    };
  } catch (error) {
    await postgres.end();
    throw error;
  }
}

const tablesOn = (postgres: Queries): Tables => ({
  rows: createTable(postgres, 'bot_rows'),
  pictures: createTable(postgres, 'bot_pictures'),
});

async function inTransaction<Result>(
  postgres: Postgres,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  work: (connection: Queries) => Promise<Result>,
): Promise<Result> {
  const connection = await postgres.connect();
  try {
    await connection.query(`BEGIN ISOLATION LEVEL ${isolation}`);
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

/** In one process after the other. */
async function makeTables(connection: Queries): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [TABLES_LOCK]);
  for (const table of ['bot_rows', 'bot_pictures']) {
    // In the order of their bytes, whatever the language of the database.
    await connection.query(
      `CREATE TABLE IF NOT EXISTS ${table} (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires bigint)`,
    );
    await connection.query(
      `CREATE INDEX IF NOT EXISTS ${table}_expires ON ${table} (expires) WHERE expires IS NOT NULL`,
    );
  }
  const rows = createTable(connection, 'bot_rows');
  const [layout] = await rows.read([LAYOUT_ROW.key], Date.now());
  if (!isCurrent(layout?.text)) await rows.insert([LAYOUT_ROW], Date.now());
}

const COLUMNS = 'key, value AS text, expires';

/** Rows are locked in the order of their keys, so that statements of several processes cannot deadlock. */
function createTable(postgres: Queries, name: string): Table {
  const insert = `INSERT INTO ${name} (key, value, expires)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (key) ORDER BY key COLLATE "C"
    ON CONFLICT (key)`;
  const overwrite = 'DO UPDATE SET value = excluded.value, expires = excluded.expires';
  const columns = (rows: readonly TableRow[]) => [
    rows.map(({ key }) => key),
    rows.map(({ text }) => text),
    rows.map(({ expires }) => expires),
  ];
  return {
    async read(keys, now) {
      const { rows } = await postgres.query<TableRow>(
        `SELECT ${COLUMNS} FROM ${name} WHERE key = ANY($1) AND (expires IS NULL OR expires > $2)`,
        [keys, now],
      );
      return rows;
    },

    async list({ after, before, limit, backwards }, now) {
      const { rows } = await postgres.query<TableRow>(
        `SELECT ${COLUMNS} FROM ${name}
          WHERE key > $1 AND key < $2 AND (expires IS NULL OR expires > $3)
          ORDER BY key ${backwards ? 'DESC' : 'ASC'} LIMIT $4`,
        [after, before, now, limit],
      );
      return rows;
    },

    async upsert(rows) {
      await postgres.query(`${insert} ${overwrite}`, columns(rows));
    },

    async insert(rows, now) {
      // One statement cannot write a row twice.
      const first = new Map(rows.toReversed().map((row) => [row.key, row]));
      const inserted = await postgres.query<{ key: string }>(
        `${insert} ${overwrite} WHERE ${name}.expires <= $4 RETURNING key`,
        [...columns([...first.values()]), now],
      );
      return inserted.rows.map(({ key }) => key);
    },

    async replace(key, before, text) {
      const { rowCount } = await postgres.query(
        `UPDATE ${name} SET value = $1 WHERE key = $2 AND value = $3`,
        [text, key, before],
      );
      return rowCount === 1;
    },

    async delete(keys) {
      await postgres.query(
        `DELETE FROM ${name}
          WHERE key = ANY(ARRAY(SELECT key FROM ${name} WHERE key = ANY($1) ORDER BY key FOR UPDATE))`,
        [keys],
      );
    },

    async deleteUnchanged(key, before) {
      const { rowCount } = await postgres.query(`DELETE FROM ${name} WHERE key = $1 AND value = $2`, [
        key,
        before,
      ]);
      return rowCount === 1;
    },

    async deleteExpired(now, limit) {
      const { rowCount } = await postgres.query(
        `DELETE FROM ${name} WHERE key = ANY(
          ARRAY(SELECT key FROM ${name} WHERE expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [now, limit],
      );
      return rowCount ?? 0;
    },
  };
}
