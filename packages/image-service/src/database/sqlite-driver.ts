import type { Log } from '@darkroom/process';
import {
  createOutageLog,
  DatabaseUnavailable,
  isBusy,
  isDiskFailure,
  outwaitLock,
  type Sqlite,
} from '@darkroom/storage';
import { createSemaphore, refdClock } from '@darkroom/time';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';

/**
 * A driver for one SQLite file that never waits synchronously: better-sqlite3 would stop the whole process while
 * another one holds the lock. Reads outside of a transaction have a connection of their own and wait for no writer.
 * What gets no lock for `lockTimeoutMs`, or no disk, rejects with `DatabaseUnavailable`.
 */
export function createSqliteDriver({ writer, reader, lockTimeoutMs, log }: SqliteDriverOptions): Driver {
  const outage = createOutageLog({ name: 'The SQLite file', clock: refdClock, log });
  const writers = createSemaphore(1);
  let transaction: { connection: DatabaseConnection; end(): void } | undefined;

  function unavailable(error: unknown): DatabaseUnavailable {
    outage.failed(error);
    const problem = isBusy(error) ? 'is locked by another process' : 'has no room left';
    // SQLite itself undoes what it cannot write.
    return new DatabaseUnavailable(`the SQLite file ${problem}`, { cause: error, problem, untouched: true });
  }

  /** Tries once, and again until `lockedUntil` (by `performance.now`) while another process holds the lock. */
  async function attempt<Result>(work: () => Result, lockedUntil: number): Promise<Result> {
    try {
      return await outwaitLock(work, lockedUntil);
    } catch (error) {
      throw isBusy(error) || isDiskFailure(error) ? unavailable(error) : error;
    }
  }

  /** The turns of this process count as waiting for the lock, so that a long queue of writers fails together. */
  async function write<Result>(work: () => Result): Promise<{ result: Result; end: () => void }> {
    const lockedUntil = performance.now() + lockTimeoutMs;
    const end = await writers.acquire(1);
    try {
      const result = await attempt(work, lockedUntil);
      outage.answered();
      return { result, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  function createConnection(): DatabaseConnection {
    const connection: DatabaseConnection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        if (transaction?.connection === connection) return attempt(() => run(writer, sql, parameters), 0);
        if (await attempt(() => reader.prepare(sql).readonly, performance.now() + lockTimeoutMs))
          return attempt(() => run(reader, sql, parameters), performance.now() + lockTimeoutMs);
        const { result, end } = await write(() => run<Row>(writer, sql, parameters));
        end();
        return result;
      },
      streamQuery() {
        throw new Error('rows of SQLite are not streamed');
      },
    };
    return connection;
  }

  return {
    init: async () => {},
    acquireConnection: async () => createConnection(),
    async beginTransaction(connection) {
      // With a plain `begin`, a transaction that reads first fails at its first write if another process has written
      // since.
      const { end } = await write(() => void writer.prepare('begin immediate').run());
      transaction = { connection, end };
    },
    commitTransaction: () => attempt(() => void writer.prepare('commit').run(), 0),
    async rollbackTransaction() {
      // SQLite itself rolls back what its disk has no room for.
      if (writer.inTransaction) writer.prepare('rollback').run();
    },
    async releaseConnection(connection) {
      if (transaction?.connection !== connection) return;
      const { end } = transaction;
      transaction = undefined;
      end();
    },
    async destroy() {
      reader.close();
      writer.close();
    },
  };
}

interface SqliteDriverOptions {
  /** Two connections to one file; their own timeout is 0. */
  writer: Sqlite;
  reader: Sqlite;
  /** Milliseconds. */
  lockTimeoutMs: number;
  /** Gets one line when the file cannot be used and one when it can again. */
  log?: Log | undefined;
}

/** The rows are of the type that the query says. */
function run<Row>(sqlite: Sqlite, sql: string, parameters: readonly unknown[]): QueryResult<Row> {
  const statement = sqlite.prepare(sql);
  if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
  return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
}
