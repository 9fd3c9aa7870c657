import { OperatorError } from '@darkroom/process';
import { type Client, type ClientBase, DatabaseError } from 'pg';
import { createClient } from './postgres-client.ts';

const TIMEOUT_MS = 5_000;

/**
 * Beside others who use the pool the same session may come back by chance: where one, two or four of them ask without
 * a pause, about every fifteenth round notices nothing, and four in a row did in none of 1,800 trials. A round takes
 * five answers, of a database at a provider on another continent a second.
 */
const ROUNDS = 6;

/**
 * Rejects with an `OperatorError` where `url` leads to a pooler that gives each transaction whichever session is
 * free. What belongs to a session (named statements, timeouts, advisory locks) is somebody else's there at the next
 * statement.
 */
export async function refuseTransactionPooling(client: ClientBase, url: string): Promise<void> {
  // A pooler names a process of its own when it connects.
  if ((await backendOf(client)) === processIdOf(client)) return;
  const options = { query_timeout: TIMEOUT_MS };
  const [one, other] = [createClient(url, options), createClient(url, options)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    const session = await backendOf(one);
    for (let round = 0; round < ROUNDS; round++) if (await losesSession(one, other, session)) throw pooled();
  } catch (error) {
    // One that pools by statement allows no transaction.
    throw error instanceof DatabaseError ? pooled(error) : error;
  } finally {
    for (const each of [one, other]) void each.end().catch(() => undefined);
  }
}

/**
 * Whether `one` has another session than `session`, before or while `other` is in a transaction, or `other` has it.
 * A pooler gives out first what came back last: that is what `one` has just had.
 */
async function losesSession(one: Client, other: Client, session: unknown): Promise<boolean> {
  if ((await backendOf(one)) !== session) return true;
  await other.query('begin');
  const isLost = (await backendOf(other)) === session || (await backendOf(one)) !== session;
  await other.query('rollback');
  return isLost;
}

/** Which process of PostgreSQL answers. */
async function backendOf(client: ClientBase): Promise<unknown> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** Which one was named when the connection began; `pg` has it, and its types do not. */
const processIdOf = (client: ClientBase): unknown => (client as { processID?: unknown }).processID;

const pooled = (cause?: unknown) =>
  new OperatorError(
    'PgBouncer, or another pooler, answers in transaction or statement mode: the next transaction may have another session. ' +
      'Name PostgreSQL itself, or a pool in session mode.',
    { cause },
  );
