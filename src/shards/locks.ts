import { OperatorError } from '@darkroom/process';
import type { Client, QueryResult } from 'pg';
import type { Shard } from '../jobs/shard.ts';

/**
 * PostgreSQL ends a session that has asked nothing for this long (`idle_session_timeout`), and only then are its
 * locks free. Whoever holds them asks every second, and takes an answer that does not come within two for the loss of
 * all, so it has stopped three seconds before anybody else begins, also where a network swallows every packet.
 */
const SESSION_MS = 6_000;
const ANSWER_MS = 2_000;

/** PostgreSQL has `idle_session_timeout` since 14. */
const LEAST_VERSION = 140_000;

/** What is locked, as the second number of an advisory lock; the first is the store's. */
export const PROCESS = 0;
export const START = 1;
/** Identifies of one bucket (`max_concurrency`). */
export const identifyKey = (bucket: number): number => 100 + bucket;
/** Written so that pg_locks can be read: shard 3 of 16 is 160003. */
export const shardKey = ({ id, count }: Shard): number => count * TENS + id;
const TENS = 10_000;
/** A job that is being delivered anew. Two may share a key: then one waits for the other. */
export const jobKey = (id: string): number => JOBS + Number(BigInt(id) % BigInt(JOBS));
const JOBS = 1_000_000_000;

/** The shard that a lock stands for, where it stands for one. */
export const shardOfKey = (key: number): Shard | undefined =>
  key < TENS || key >= JOBS ? undefined : { id: key % TENS, count: Math.floor(key / TENS) };

export const isIdentifyKey = (key: number): boolean => key >= identifyKey(0) && key < TENS;

export interface HeldLock {
  key: number;
  mine: boolean;
}

/**
 * A session of PostgreSQL and the advisory locks that it holds for its store: gone with it, also by a kill -9 or
 * where the machine vanishes. Every function rejects once the session is lost.
 */
export type Locks = ReturnType<typeof locksOf>;

/** Rejects with a sentence for the operator where this PostgreSQL cannot serve. */
export async function openLocks(url: string): Promise<Locks> {
  const { createClient, refuseTransactionPooling } = await import('@darkroom/storage/postgres');
  const client = createClient(url, { application_name: 'darkroom shards', query_timeout: ANSWER_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string; standby: boolean; store: string }>(
      `select current_setting('server_version_num') as version, pg_is_in_recovery() as standby,
              hashtext('darkroom ' || coalesce(current_schema(), '')) & 2147483647 as store`,
    );
    const [{ version, standby, store } = { version: '', standby: false, store: '' }] = rows;
    if (Number(version) < LEAST_VERSION) {
      const { host, port } = client;
      throw new OperatorError(`The PostgreSQL at ${host}:${port} is older than 14. Take a newer one.`);
    }
    // It gives out locks of its own, which the primary knows nothing of: PostgreSQL's documentation, "Hot Standby".
    if (standby) throw new Error('it is a standby, which takes no writes');
    await refuseTransactionPooling(client, url);
    await client.query(`set idle_session_timeout = ${SESSION_MS}`);
    return locksOf(client, store);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}

function locksOf(client: Client, store: string) {
  let last: Promise<unknown> = Promise.resolve();
  /** Queries run one after the other; after one that has failed, all fail. */
  function query<Row extends object>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const next = last.then(() => client.query<Row>(sql, [...parameters]));
    last = next;
    return next;
  }

  return {
    /** Every lock of this store, whoever holds it. To be called every second. */
    async look(): Promise<HeldLock[]> {
      const { rows } = await query<{ key: string; mine: boolean }>(
        `select objid::int8 as key, pid = pg_backend_pid() as mine from pg_locks
         where locktype = 'advisory' and objsubid = 2 and granted and classid::int8 = $1
           and database = (select oid from pg_database where datname = current_database())`,
        [store],
      );
      return rows.map(({ key, mine }) => ({ key: Number(key), mine }));
    },
    /** Whether nobody held it; it is ours then. */
    async tryLock(key: number): Promise<boolean> {
      const { rows } = await query<{ ours: boolean }>(
        'select pg_try_advisory_lock($1::int, $2::int) as ours',
        [store, key],
      );
      return rows[0]?.ours === true;
    },
    /** Beside others who do the same. */
    async share(key: number): Promise<void> {
      await query('select pg_advisory_lock_shared($1::int, $2::int)', [store, key]);
    },
    async unlock(key: number): Promise<void> {
      await query('select pg_advisory_unlock($1::int, $2::int)', [store, key]);
    },
    close: (): Promise<void> => client.end(),
  };
}
