import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, Pool, types } from 'pg';
import { type Clock, systemClock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';

/** How long a caller waits for a connection: a new one, or one that another gives back. */
const CONNECTION_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** After which a connection is given up on which nothing arrives: later than PostgreSQL gives up a statement. */
const SILENCE_MS = 20_000;
const CONNECTIONS = 10;

/** An outage is over with the first answer this long after its last failure. */
const CALM_MS = 1_000;

/** PostgreSQL sends 64-bit integers and sums as text; ours all fit into a number. */
const NUMBERS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

/** The codes with which PostgreSQL ends a session: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ENDS_SESSION = /^57P/;

/** The database is not there. Whether it did what was asked of it last is not known. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

export interface PostgresOptions {
  /** The system's unless given. */
  clock?: Clock;
  /** Says when the database is lost and when it answers again: once each, however many callers notice. */
  log?: Log;
}

/** Connections to PostgreSQL. One that breaks is replaced; whoever was using it gets `DatabaseUnavailable`. */
export function connectPostgres(
  connectionString: string,
  { clock = systemClock, log }: PostgresOptions = {},
): PostgresPool {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // A process that was cut off within a transaction must not keep its locks.
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    stream: impatientSocket,
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)) },
  });
  const broken = new WeakSet<object>();
  let failedAt: number | undefined;

  function unavailable(error: unknown): DatabaseUnavailable {
    if (failedAt === undefined) log?.error({ err: error }, 'PostgreSQL cannot be reached; trying again');
    failedAt = clock.now();
    return new DatabaseUnavailable(`PostgreSQL cannot be reached: ${messageOf(error)}`, { cause: error });
  }

  function answered(): void {
    if (failedAt === undefined || clock.now() < failedAt + CALM_MS) return;
    failedAt = undefined;
    log?.info('PostgreSQL answers again');
  }

  // The pool listens to connections that nobody uses, and only to those: an error that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => broken.add(client)));
  pool.on('error', () => {});

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    const inner: PostgresPoolClient = client;
    async function query<Row>(sql: string, parameters: readonly unknown[]) {
      try {
        const result = await inner.query<Row>(sql, parameters);
        answered();
        return result;
      } catch (error) {
        if (error instanceof DatabaseError && ENDS_SESSION.test(error.code ?? '')) broken.add(client);
        throw broken.has(client) ? unavailable(error) : error;
      }
    }
    return {
      // The other form takes a cursor, and the dialect is given none.
      query: query as PostgresPoolClient['query'],
      release: () => client.release(broken.has(client)),
    };
  }

  return { connect, end: () => pool.end() };
}

/** Closes where PostgreSQL falls silent. The pool's `query_timeout` would leave the connection in use. */
function impatientSocket(): Socket {
  const socket = new Socket();
  return socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`no answer for ${SILENCE_MS} ms`)));
}
