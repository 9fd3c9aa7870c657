import { type Log, messageOf } from '@darkroom/process';
import {
  createOutageLog,
  DatabaseUnavailable,
  isBusy,
  isDiskFailure,
  isDiskFull,
  outwaitLock,
  type Sqlite,
} from '@darkroom/storage';
import { createSemaphore, refdClock } from '@darkroom/time';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { SqliteFlush } from './sqlite-flush.ts';

/**
 * A driver for one SQLite file that never waits synchronously: better-sqlite3 would stop the whole process while
 * another one holds the lock. Reads outside of a transaction have a connection of their own and wait for no writer.
 * What is committed is there for everybody at once; its writer hears of it when it is on the disk, for which the next
 * one does not wait.
 * What gets no lock for `lockTimeoutMs`, or no disk, rejects with `DatabaseUnavailable`.
 */
export function createSqliteDriver({
  writer,
  reader,
  disk,
  lockTimeoutMs,
  log,
}: SqliteDriverOptions): Driver {
  const outage = createOutageLog({ name: 'The SQLite file', clock: refdClock, log });
  const writers = createSemaphore(1);
  let transaction: { connection: DatabaseConnection; end(): void } | undefined;

  function unavailable(error: unknown): DatabaseUnavailable {
    outage.failed(error);
    const problem = problemOf(error);
    // SQLite itself undoes what it cannot write.
    return new DatabaseUnavailable(`the SQLite file ${problem}: ${messageOf(error)}`, {
      cause: error,
      problem,
      untouched: true,
    });
  }

  /** Resolves once what is committed by now is on the disk. */
  const flush = (): Promise<void> =>
    disk.flush().catch((error: unknown) => {
      outage.failed(error);
      throw new DatabaseUnavailable('the SQLite file cannot be flushed to its disk', {
        cause: error,
        problem: 'does not answer',
        untouched: false,
      });
    });

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

  /** Lets the next transaction begin. */
  function endTransaction(connection: DatabaseConnection): void {
    if (transaction?.connection !== connection) return;
    const { end } = transaction;
    transaction = undefined;
    end();
  }

  return {
    init: async () => {},
    async acquireConnection() {
      const connection: DatabaseConnection = {
        async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
          if (transaction?.connection === connection) return attempt(() => run(writer, sql, parameters), 0);
          if (await attempt(() => reader.prepare(sql).readonly, performance.now() + lockTimeoutMs))
            return attempt(() => run(reader, sql, parameters), performance.now() + lockTimeoutMs);
          const { result, end } = await write(() => run<Row>(writer, sql, parameters));
          end();
          await flush();
          return result;
        },
        streamQuery() {
          throw new Error('rows of SQLite are not streamed');
        },
      };
      return connection;
    },
    async beginTransaction(connection) {
      // With a plain `begin`, a transaction that reads first fails at its first write if another process has written
      // since.
      const { end } = await write(() => void writer.prepare('begin immediate').run());
      transaction = { connection, end };
    },
    async commitTransaction(connection) {
      await attempt(() => void writer.prepare('commit').run(), 0);
      endTransaction(connection);
      await flush();
    },
    async rollbackTransaction(connection) {
      // SQLite itself rolls back what its disk has no room for. What is committed is not undone, nor is another's.
      if (transaction?.connection === connection && writer.inTransaction) writer.prepare('rollback').run();
    },
    releaseConnection: async (connection) => endTransaction(connection),
    async destroy() {
      await disk.close();
      reader.close();
      writer.close();
    },
  };
}

interface SqliteDriverOptions {
  /** Two connections to one file; their own timeout is 0. The writer's commits wait for no disk. */
  writer: Sqlite;
  reader: Sqlite;
  /** That of the file. */
  disk: SqliteFlush;
  /** Milliseconds. */
  lockTimeoutMs: number;
  /** Gets one line when the file cannot be used and one when it can again. */
  log?: Log | undefined;
}

function problemOf(error: unknown): DatabaseUnavailable['problem'] {
  if (isBusy(error)) return 'is locked by another process';
  return isDiskFull(error) ? 'has no room left' : 'cannot be read or written';
}

/** The rows are of the type that the query says. */
function run<Row>(sqlite: Sqlite, sql: string, parameters: readonly unknown[]): QueryResult<Row> {
  const statement = sqlite.prepare(sql);
  if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
  return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
}
