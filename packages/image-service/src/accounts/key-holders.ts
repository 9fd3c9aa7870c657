import { type Clock, createBatch, createCache } from '@darkroom/time';
import type { Selectable } from 'kysely';
import { compileOnce } from '../database/compiled-query.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { AccountTable, KeyTable } from '../database/tables.ts';
import { hashSecret } from './secrets.ts';

/** Precision of a key's `lastUsedAt`, and so for how long its holder may be cached. */
const CACHE_MS = 60_000;
const MAX_CACHED = 10_000;

/** Limits of a key where they differ from the service's. */
export type KeyLimits = Pick<Selectable<KeyTable>, 'maxRunning' | 'maxWaiting' | 'maxPerMinute'>;

export type Account = Pick<Selectable<AccountTable>, 'id' | 'username'>;

export interface KeyHolder extends KeyLimits {
  keyId: number;
  account: Account;
}

/**
 * Looks up whose a key is, with a cache that is valid until any process changes a key or an account: each look-up
 * reads a version number from the database, once for all requests that arrive together.
 */
export function createKeyHolders({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  const cache = createCache<string, { holder: KeyHolder; version: number }>({
    max: MAX_CACHED,
    ttlMs: CACHE_MS,
    clock,
  });

  const version = createBatch<undefined, number>(async (asked) => {
    const [{ version } = { version: 0 }] = await readVersion(db, {});
    return asked.map(() => version);
  });

  async function lookUp(hash: string): Promise<KeyHolder | undefined> {
    const row = await db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.accountId')
      .select(['keys.id', 'keys.lastUsedAt', 'keys.maxRunning', 'keys.maxWaiting', 'keys.maxPerMinute'])
      .select(['accounts.id as accountId', 'accounts.username'])
      .where('keys.hash', '=', hash)
      .where('keys.revokedAt', 'is', null)
      .where('accounts.disabledAt', 'is', null)
      .executeTakeFirst();
    if (!row) return undefined;
    const { id, lastUsedAt, accountId, username, ...limits } = row;
    if ((lastUsedAt ?? 0) <= clock.now() - CACHE_MS) {
      // Nobody waits for it, nor for whoever else is writing; where it fails, a later use says it.
      const stamped = db.updateTable('keys').set({ lastUsedAt: clock.now() }).where('id', '=', id).execute();
      stamped.catch(() => undefined);
    }
    return { keyId: id, account: { id: accountId, username }, ...limits };
  }

  return async (key: string): Promise<KeyHolder | undefined> => {
    const hash = hashSecret(key);
    // Read before the key is looked up: a change during the look-up must invalidate its result.
    const current = await version(undefined);
    const cached = cache.get(hash);
    if (cached?.version === current) return cached.holder;
    const holder = await lookUp(hash);
    if (holder) cache.set(hash, { holder, version: current });
    else cache.delete(hash);
    return holder;
  };
}

const readVersion = compileOnce((db) => db.selectFrom('keyHolders').select('version'));

/** Invalidates the caches of all processes. To be called in the transaction that changes a key or an account. */
export async function invalidateKeyHolders(trx: ServiceTransaction): Promise<void> {
  await trx
    .updateTable('keyHolders')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .execute();
}
