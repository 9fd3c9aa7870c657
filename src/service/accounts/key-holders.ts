import type { Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import { createBatch } from '../database/batch.ts';
import { compileOnce } from '../database/compiled.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { KeyTable } from '../database/tables.ts';
import type { Account } from './accounts.ts';
import { hashSecret } from './secrets.ts';

/** How exact a key's `lastUsedAt` is, and so for how long its holder may be remembered. */
const LAST_USED_MS = 60_000;
/** How many holders are remembered. */
const MAX_KNOWN = 10_000;

/** Limits of a key where they differ from the service's. */
export type KeyLimits = Pick<Selectable<KeyTable>, 'maxRunning' | 'maxWaiting' | 'maxPerMinute'>;

/** Who a key belongs to. */
export interface KeyHolder extends Omit<KeyLimits, 'maxRunning'> {
  keyId: number;
  account: Account;
}

/**
 * Finds whose a key is. That is remembered, and thrown away as soon as any process has changed a key or an account: a
 * counter in the database tells, which requests that arrive together read once.
 */
export function createKeyHolders({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  const known = new Map<string, { holder: KeyHolder; version: number; until: number }>();

  const version = createBatch<undefined, number>(Number.POSITIVE_INFINITY, async (asked) => {
    const [{ version } = { version: 0 }] = await readVersion(db, {});
    return asked.map(() => ({ result: version }));
  });

  async function lookUp(hash: string): Promise<KeyHolder | undefined> {
    const row = await db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.accountId')
      .select(['keys.id', 'keys.lastUsedAt', 'keys.maxWaiting', 'keys.maxPerMinute'])
      .select(['accounts.id as accountId', 'accounts.username'])
      .where('keys.hash', '=', hash)
      .where('keys.revokedAt', 'is', null)
      .where('accounts.disabledAt', 'is', null)
      .executeTakeFirst();
    if (!row) return undefined;
    const { id, lastUsedAt, accountId, username, maxWaiting, maxPerMinute } = row;
    if ((lastUsedAt ?? 0) <= clock.now() - LAST_USED_MS) {
      await db.updateTable('keys').set({ lastUsedAt: clock.now() }).where('id', '=', id).execute();
    }
    return { keyId: id, account: { id: accountId, username }, maxWaiting, maxPerMinute };
  }

  return async (key: string): Promise<KeyHolder | undefined> => {
    const hash = hashSecret(key);
    // Read before the key is looked up, so that a change after the look-up is never taken for one before it.
    const current = await version(undefined);
    const now = clock.now();
    const remembered = known.get(hash);
    if (remembered && remembered.version === current && remembered.until > now) return remembered.holder;
    const holder = await lookUp(hash);
    if (known.size >= MAX_KNOWN) known.clear();
    if (holder) known.set(hash, { holder, version: current, until: now + LAST_USED_MS });
    else known.delete(hash);
    return holder;
  };
}

const readVersion = compileOnce((db) => db.selectFrom('keyHolders').select('version'));

/** Whoever changes whose a key is, or what it may do, calls this in the same transaction. */
export async function changeHolders(trx: ServiceTransaction): Promise<void> {
  await trx
    .updateTable('keyHolders')
    .set((is) => ({ version: is('version', '+', 1) }))
    .execute();
}
