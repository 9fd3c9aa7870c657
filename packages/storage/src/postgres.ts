import { Socket } from 'node:net';
import type { Log } from '@darkroom/process';
import { messageOf, OperatorError } from '@darkroom/process';
import { type Clock, refdClock, retry, systemClock, withTimeout } from '@darkroom/time';
import { type ClientBase, DatabaseError, Pool, type QueryResult, types } from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { createDurableWrites } from './durable-writes.ts';
import { createOutageLog } from './outage-log.ts';
import { createClient } from './postgres-client.ts';
import { createPreparedNames } from './prepared-names.ts';
import { refuseTransactionPooling } from './transaction-pooler.ts';
import { awaitAnswer, UNREACHABLE } from './unreachable.ts';
import { mendOf, verifiedUrl } from './verified-url.ts';

export { createClient, refuseTransactionPooling };

/** How long a caller waits for a connection: a new one, or one that another gives back. */
const CONNECTION_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** Whoever holds a transaction may be asleep, and others wait for what it has locked. */
const IDLE_TIMEOUT_MS = 15_000;
/** A connection that is silent for this much longer than PostgreSQL's own timeout of a statement is closed. */
const SILENCE_MS = 1_000;
const CONNECTIONS = 10;

/** PostgreSQL sends 64-bit integers and sums as text; all of ours fit into a JavaScript number. */
const NUMBERS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

/**
 * The error codes of a session that PostgreSQL has ended:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const ENDS_SESSION = /^57P/;

/** Of PostgreSQL, or its user, that has as many sessions as it may: once others end, a new one is let in. */
const FULL = '53300';

/** Of a session that takes no writes: after a failover, or an end of it at the provider, a new one may. */
const READ_ONLY = '25006';

/**
 * Of a statement that a session has prepared, and whose columns an upgrade has changed since: a new one prepares it
 * anew.
 */
const CHANGED = '0A000';

/** Where others have all sessions that there are, one of the pool's own is given back soon. */
const FULL_RETRIES = { firstMs: 50, maxMs: 500, budgetMs: CONNECTION_TIMEOUT_MS };

/** With these another session may do what this one does not. */
const STALE: ReadonlySet<string> = new Set([READ_ONLY, CHANGED]);

/**
 * Of a statement that PostgreSQL refuses for want of disk or memory; because it takes no writes, as a standby does, and
 * at providers a database whose disk is nearly full; because its user lacks the right. And of one that it gives up: it
 * took too long, or waits for others. Of a commit, too, that means that nothing of its transaction was done:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const REFUSALS = [
  [/^53/, 'has no room left'],
  [new RegExp(`^(?:${READ_ONLY}|42501)$`), 'cannot be read or written'],
  [new RegExp(`^(?:${CHANGED}|40P01|55P03|57014)$`), 'does not answer'],
] as const;

/** What pg says where a connection ended, or took too long, before PostgreSQL has said anything. */
const IS_CUT_OFF = /^(?:timeout|Connection terminated|no answer)/;

export interface PostgresOptions {
  /** The system's unless given. */
  clock?: Clock;
  /** Gets one line when the database is lost and one when it is back, however many callers notice. */
  log?: Log;
  /** How long PostgreSQL works on a statement before it gives it up, in milliseconds; 15 s unless given. */
  statementTimeoutMs?: number;
  /**
   * How long a transaction may rest before PostgreSQL ends its session, in milliseconds; 15 s unless given. Where it is
   * given, a connection is silent for as long before it is closed.
   */
  idleTimeoutMs?: number;
}

export type Postgres = ReturnType<typeof connectPostgres>;

/**
 * A pool of connections to PostgreSQL. Where that is down, its users get a `DatabaseUnavailable`, and an
 * `OperatorError` where a pooler stands in between that takes sessions away. A broken connection is replaced.
 */
export function connectPostgres(
  connectionString: string,
  {
    clock = systemClock,
    log,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    idleTimeoutMs,
  }: PostgresOptions = {},
) {
  const pool = new Pool({
    connectionString: verifiedUrl(connectionString),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    onConnect: prepareSession,
    stream: () => socketWithTimeout(Math.max(statementTimeoutMs, idleTimeoutMs ?? 0) + SILENCE_MS),
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)) },
  });
  const broken = new WeakSet<object>();
  const stale = new WeakSet<object>();
  const preparedName = createPreparedNames();
  const outage = createOutageLog({ name: 'PostgreSQL', clock, log });

  const refusals = REFUSALS.map(([codes, problem]) => ({
    codes,
    problem,
    outage: createOutageLog({ name: 'PostgreSQL', trouble: problem, clock, log }),
  }));

  let sessionsAreOurs: Promise<void> | undefined;

  /** By statements: poolers refuse most parameters of a connection. */
  async function prepareSession(client: ClientBase): Promise<void> {
    // The pool itself listens to idle connections only, and an unhandled error event would end the process.
    client.on('error', () => broken.add(client));
    sessionsAreOurs ??= refuseTransactionPooling(client, connectionString);
    await sessionsAreOurs.catch((error: unknown) => {
      sessionsAreOurs = undefined;
      throw error;
    });
    await withTimeout(CONNECTION_TIMEOUT_MS, () =>
      client.query(
        `select set_config('statement_timeout', $1, false),
                set_config('idle_in_transaction_session_timeout', $2, false),
                set_config('default_transaction_isolation', 'read committed', false)`,
        [statementTimeoutMs, idleTimeoutMs ?? IDLE_TIMEOUT_MS].map(String),
      ),
    );
  }

  /** `untouched`: no statement has been sent. */
  function unreachable(error: unknown, { untouched }: { untouched: boolean }): DatabaseUnavailable {
    outage.failed(error);
    // Of a name with several addresses Node reports all, and says nothing itself.
    const [first = error] = error instanceof AggregateError ? error.errors : [];
    return new DatabaseUnavailable(`PostgreSQL cannot be reached: ${messageOf(first)}${mendOf(first)}`, {
      cause: error,
      problem: 'does not answer',
      untouched,
    });
  }

  /** What PostgreSQL itself refuses it has not done. Undefined where it would take other statements. */
  function refused(error: DatabaseError): DatabaseUnavailable | undefined {
    const refusal = refusals.find(({ codes }) => codes.test(error.code ?? ''));
    if (!refusal) return undefined;
    const { problem, outage } = refusal;
    outage.failed(error);
    return new DatabaseUnavailable(`PostgreSQL ${problem}: ${error.message}`, {
      cause: error,
      problem,
      untouched: true,
    });
  }

  // Of idle connections.
  pool.on('error', () => {});

  /** A connection that is its user's alone until it is released. */
  async function connect() {
    const client = await retry(() => pool.connect(), {
      policy: { ...FULL_RETRIES, isRetryable: (error) => isFull(error) && pool.totalCount > 0 },
      clock: refdClock,
    }).catch((error: unknown) => {
      if (error instanceof OperatorError) throw error;
      throw unreachable(error, { untouched: true });
    });
    const isDurable = createDurableWrites();
    return {
      async query<Row extends object>(
        sql: string,
        parameters: readonly unknown[] = [],
      ): Promise<QueryResult<Row>> {
        try {
          const name = preparedName(sql);
          const result = await client.query<Row>({
            text: sql,
            values: [...parameters],
            ...(name !== undefined && { name }),
          });
          outage.answered();
          if (isDurable(result.command)) for (const { outage } of refusals) outage.answered();
          return result;
        } catch (error) {
          const code = (error instanceof DatabaseError && error.code) || '';
          if (ENDS_SESSION.test(code)) broken.add(client);
          if (STALE.has(code)) stale.add(client);
          if (broken.has(client)) throw unreachable(error, { untouched: false });
          throw (error instanceof DatabaseError && refused(error)) || error;
        }
      },
      release: (): void => client.release(broken.has(client) || stale.has(client)),
    };
  }

  return {
    connect,
    /** One statement on whichever connection is free. */
    async query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>> {
      const connection = await connect();
      try {
        return await connection.query<Row>(sql, parameters);
      } finally {
        connection.release();
      }
    },
    end: (): Promise<void> => pool.end(),
  };
}

/** Waits as `awaitAnswer` does until PostgreSQL takes writes. */
export async function awaitPostgres(
  connectionString: string,
  { log, signal }: { log: Log; signal?: AbortSignal | undefined },
): Promise<void> {
  await awaitAnswer(() => tryPostgres(connectionString), {
    isAway,
    say: (error) => log.warn(`${messageOf(error)}. Trying again; check that it runs there, and the address`),
    signal,
  });
}

/** Rejects where it takes no writes, too. In a session of its own: an older one may stay as it was. */
async function tryPostgres(connectionString: string): Promise<void> {
  const { query, end } = connectPostgres(connectionString);
  try {
    const { rows } = await query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'on') return;
    throw new DatabaseUnavailable('PostgreSQL takes no writes', {
      cause: undefined,
      problem: 'cannot be read or written',
      untouched: true,
    });
  } finally {
    await end();
  }
}

/** Whether PostgreSQL was not there, or not yet: it has refused nothing for good. */
function isAway(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false;
  const { cause, problem } = error;
  if (problem === 'cannot be read or written') return true;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(first instanceof Error)) return false;
  const code = 'code' in first ? `${first.code}` : undefined;
  if (first instanceof DatabaseError) return isFull(first) || ENDS_SESSION.test(`${code}`);
  return code === undefined ? IS_CUT_OFF.test(first.message) : UNREACHABLE.has(code);
}

const isFull = (error: unknown): boolean => error instanceof DatabaseError && error.code === FULL;

/** Closes the connection when PostgreSQL stops responding. The pool's `query_timeout` would leave it in use. */
function socketWithTimeout(ms: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(ms, () => socket.destroy(new Error(`no answer for ${ms} ms`)));
}
