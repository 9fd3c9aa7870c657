import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type SqliteUrl, sqlitePath } from '@darkroom/storage';
import { createSemaphore } from '@darkroom/time';
import { KeyvSqlite } from '@keyv/sqlite';
import { isCurrent, LAYOUT_ROW } from './layout.ts';
import { createTables, type Dialect, inTransaction, type Query } from './sql-table.ts';
import { type Database, TABLE_NAMES, type Table, type Tables } from './table.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** Of the connection: more than any number of statements that are under way at once. */
const WHOLE = Number.MAX_SAFE_INTEGER;

const BEGIN = 'BEGIN IMMEDIATE';

const { rows: ROWS, pictures: PICTURES } = TABLE_NAMES;

const SQLITE: Dialect = {
  isAmong: 'IN (SELECT value FROM json_each(?))',
  several: JSON.stringify,
  isSelected: (select) => `IN (${select})`,
  position: 'instr',
  given: 'SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true',
  parametersOf: (rows) => [JSON.stringify(rows.map(({ key, text, expires }) => [key, text, expires]))],
};

/**
 * Opens the file of a store on the one connection of @keyv/sqlite, and makes its tables. `busyTimeoutMs`: how long a
 * statement waits while another process holds the file.
 */
export async function openSqliteDatabase(
  url: SqliteUrl,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: { busyTimeoutMs?: number } = {},
): Promise<Database> {
  const path = sqlitePath(url);
  await mkdir(dirname(path), { recursive: true });
  const sqlite = new KeyvSqlite({ uri: `sqlite://${path}`, table: ROWS, busyTimeout: busyTimeoutMs });
  // Without a listener a connection that fails would end the process; whoever asks it is told.
  sqlite.on('error', () => {});
  const query: Query = (sql, ...parameters) => sqlite.query(sql, parameters);
  // A transaction has the connection alone: any other statement on it would become part of the transaction.
  const connection = createSemaphore(WHOLE);
  const alone = <Result>(work: () => Promise<Result>) => connection.hold(WHOLE, work);
  const inTurn: Query = (sql, ...parameters) => connection.hold(1, () => query(sql, ...parameters));
  try {
    await query('PRAGMA journal_mode = WAL');
    // What is written is on the disk, also where the power fails.
    await query('PRAGMA synchronous = FULL');
    // Zeros are written over what is deleted or overwritten.
    await query('PRAGMA secure_delete = ON');
    const tables = tablesOn(query);
    await inTransaction(query, BEGIN, () => makeTables(query, tables.rows));
    const transaction: Database['transaction'] = (work) =>
      alone(() => inTransaction(query, BEGIN, () => work(tables)));
    return {
      ...tablesOn(inTurn),
      transaction,
      // Another process waits for the file.
      alone: transaction,
      wipeDeleted: () => alone(() => truncateLog(query)),
      close: () => sqlite.close(),
    };
  } catch (error) {
    await sqlite.close().catch(() => undefined);
    throw error;
  }
}

const tablesOn = (query: Query): Tables => createTables(query, SQLITE);

/**
 * The write-ahead log holds pages as they were. It cannot be emptied while somebody reads them, such as a backup,
 * whom nobody waits for: the connection is everybody's.
 */
async function truncateLog(query: Query): Promise<boolean> {
  const [result] = await query<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
  return result?.busy === 0;
}

async function makeTables(query: Query, rows: Table): Promise<void> {
  // @keyv/sqlite has made it, with these two columns.
  const [layout] = await query<{ value: string }>(`SELECT value FROM ${ROWS} WHERE key = ?`, LAYOUT_ROW.key);
  if (isCurrent(layout?.value)) return;
  await query(`ALTER TABLE ${ROWS} ADD COLUMN expires INTEGER`);
  await query(`CREATE TABLE ${PICTURES} (key TEXT PRIMARY KEY, value TEXT, expires INTEGER)`);
  await query(`CREATE INDEX ${ROWS}_expires ON ${ROWS} (expires) WHERE expires IS NOT NULL`);
  await query(`CREATE INDEX ${PICTURES}_expires ON ${PICTURES} (expires) WHERE expires IS NOT NULL`);
  await rows.insert([LAYOUT_ROW], Date.now());
}
