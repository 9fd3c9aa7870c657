import { Socket } from 'node:net';
import type { Log } from '@darkroom/process';
import { messageOf } from '@darkroom/process';
import { type Clock, systemClock } from '@darkroom/time';
import { DatabaseError, Pool, type QueryResult, types } from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { createOutageLog } from './outage-log.ts';
import { createPreparedNames } from './prepared-names.ts';

/** How long a caller waits for a connection: a new one, or one that another gives back. */
const CONNECTION_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** A connection that is silent for this much longer than PostgreSQL's own timeout of a statement is closed. */
const SILENCE_MS = 1_000;
const CONNECTIONS = 10;

/** PostgreSQL sends 64-bit integers and sums as text; all of ours fit into a JavaScript number. */
const NUMBERS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

/** The error codes of a session that PostgreSQL has ended: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ENDS_SESSION = /^57P/;

/** Of a statement for which PostgreSQL has no disk or memory: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NO_ROOM = /^53/;

export interface PostgresOptions {
  /** The system's unless given. */
  clock?: Clock;
  /** Gets one line when the database is lost and one when it is back, however many callers notice. */
  log?: Log;
  /** How long PostgreSQL works on a statement before it gives it up, in milliseconds; 15 s unless given. */
  statementTimeoutMs?: number;
}

/** A connection that is its user's alone until it is released. */
export interface PostgresConnection {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>>;
  release(): void;
}

/** A pool of connections. Both reject with `DatabaseUnavailable` where PostgreSQL is away. */
export interface Postgres {
  connect(): Promise<PostgresConnection>;
  /** One statement on whichever connection is free. */
  query: PostgresConnection['query'];
  end(): Promise<void>;
}

/** A pool of connections to PostgreSQL. A broken one is replaced; its user gets a `DatabaseUnavailable`. */
export function connectPostgres(
  connectionString: string,
  { clock = systemClock, log, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: PostgresOptions = {},
): Postgres {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // So that a process that is cut off within a transaction does not keep its locks.
    idle_in_transaction_session_timeout: statementTimeoutMs,
    stream: () => socketWithTimeout(statementTimeoutMs + SILENCE_MS),
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)) },
  });
  const broken = new WeakSet<object>();
  const preparedName = createPreparedNames();
  const outage = createOutageLog({ name: 'PostgreSQL', clock, log });

  const shortage = createOutageLog({ name: 'PostgreSQL', trouble: 'has no room left', clock, log });

  /** `untouched`: no statement has been sent. */
  function unreachable(error: unknown, { untouched }: { untouched: boolean }): DatabaseUnavailable {
    outage.failed(error);
    // Of a name with several addresses Node reports all, and says nothing itself.
    const [first = error] = error instanceof AggregateError ? error.errors : [];
    const problem = 'does not answer';
    return new DatabaseUnavailable(`PostgreSQL cannot be reached: ${messageOf(first)}`, {
      cause: error,
      problem,
      untouched,
    });
  }

  /** What PostgreSQL itself refuses it has not done. */
  function withoutRoom(error: DatabaseError): DatabaseUnavailable {
    shortage.failed(error);
    const problem = 'has no room left';
    return new DatabaseUnavailable(`PostgreSQL ${problem}: ${error.message}`, {
      cause: error,
      problem,
      untouched: true,
    });
  }

  // The pool itself listens to idle connections only, and an unhandled error event would end the process.
  pool.on('connect', (client) => client.on('error', () => broken.add(client)));
  pool.on('error', () => {});

  async function connect(): Promise<PostgresConnection> {
    const client = await pool.connect().catch((error: unknown) => {
      throw unreachable(error, { untouched: true });
    });
    return {
      async query<Row extends object>(sql: string, parameters: readonly unknown[] = []) {
        try {
          const name = preparedName(sql);
          const result = await client.query<Row>({
            text: sql,
            values: [...parameters],
            ...(name !== undefined && { name }),
          });
          outage.answered();
          if (result.command !== 'SELECT') shortage.answered();
          return result;
        } catch (error) {
          const code = (error instanceof DatabaseError && error.code) || '';
          if (ENDS_SESSION.test(code)) broken.add(client);
          if (broken.has(client)) throw unreachable(error, { untouched: false });
          throw error instanceof DatabaseError && NO_ROOM.test(code) ? withoutRoom(error) : error;
        }
      },
      release: () => client.release(broken.has(client)),
    };
  }

  return {
    connect,
    async query<Row extends object>(sql: string, parameters?: readonly unknown[]) {
      const connection = await connect();
      try {
        return await connection.query<Row>(sql, parameters);
      } finally {
        connection.release();
      }
    },
    end: () => pool.end(),
  };
}

/** Closes the connection when PostgreSQL stops responding. The pool's `query_timeout` would leave it in use. */
function socketWithTimeout(ms: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(ms, () => socket.destroy(new Error(`no answer for ${ms} ms`)));
}
