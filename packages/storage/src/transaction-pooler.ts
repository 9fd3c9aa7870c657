import { OperatorError } from '@darkroom/process';
import { Client, type ClientBase, DatabaseError } from 'pg';
import { verifiedUrl } from './verified-url.ts';

const TIMEOUT_MS = 5_000;

/** Others who use the pool may come in between: then it is tried again. */
const ROUNDS = 3;

/**
 * Rejects with an `OperatorError` where `url` leads to a pooler that gives each transaction whichever session is
 * free. What belongs to a session (named statements, timeouts, advisory locks) is somebody else's there at the next
 * statement.
 */
export async function refuseTransactionPooling(client: ClientBase, url: string): Promise<void> {
  // A pooler names a process of its own when it connects.
  if ((await backendOf(client)) === processIdOf(client)) return;
  const [one, other] = [connectionTo(url), connectionTo(url)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    for (let round = 0; round < ROUNDS; round++) if (await changesSession(one, other)) throw pooled();
  } catch (error) {
    // One that pools by statement allows no transaction.
    throw error instanceof DatabaseError ? pooled(error) : error;
  } finally {
    for (const each of [one, other]) void each.end().catch(() => undefined);
  }
}

/** While `other` is in a transaction, on the session that `one` had or on another. */
async function changesSession(one: Client, other: Client): Promise<boolean> {
  const before = await backendOf(one);
  await other.query('begin');
  const isTaken = (await backendOf(other)) === before;
  const changes = isTaken || (await backendOf(one)) !== before;
  await other.query('rollback');
  return changes;
}

/** Which process of PostgreSQL answers. */
async function backendOf(client: ClientBase): Promise<unknown> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** Which one was named when the connection began; `pg` has it, and its types do not. */
const processIdOf = (client: ClientBase): unknown => (client as { processID?: unknown }).processID;

function connectionTo(url: string): Client {
  const client = new Client({
    connectionString: verifiedUrl(url),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // Whoever asks next is told; an error without a listener would end the process.
  return client.on('error', () => undefined);
}

const pooled = (cause?: unknown) =>
  new OperatorError(
    'PgBouncer, or another pooler, answers in transaction or statement mode: the next transaction may have another session. ' +
      'Name PostgreSQL itself, or a pool in session mode.',
    { cause },
  );
