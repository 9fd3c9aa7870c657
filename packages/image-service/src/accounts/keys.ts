import type { Vault } from '@darkroom/storage';
import { type Clock, HOUR_MS } from '@darkroom/time';
import type { Selectable, Updateable } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { KeyTable } from '../database/tables.ts';
import { lockAccounts } from '../ledger/ledger-queries.ts';
import { rateLimited } from '../rate-limit.ts';
import { createKeyHolders, invalidateKeyHolders, type KeyLimits } from './key-holders.ts';
import { hashSecret, makeSecret, masked, tailOf } from './secrets.ts';

const MAX_ACTIVE = 10;
/** How many keys an account may make in an hour, as those that are revoked stay for a month. */
const MAX_PER_HOUR = 20;

/** Says to the vault whose a key is. */
export const keyContext = (hash: string): string => `key ${hash}`;

export type Keys = ReturnType<typeof createKeys>;

/** API keys: found by their hash, and kept sealed so that their account can read them again. */
export function createKeys({ db, vault, clock }: { db: ServiceDatabase; vault: Vault; clock: Clock }) {
  function open({ sealed, hash, tail }: Pick<Selectable<KeyTable>, 'sealed' | 'hash' | 'tail'>): string {
    try {
      return vault.open(sealed, keyContext(hash));
    } catch (cause) {
      throw new ApiError(
        'key_unreadable',
        `The key ${masked(tail)} works, but the service can no longer show it: the SECRET_KEY that sealed it is lost. Make a new key where you have not kept this one.`,
        { cause },
      );
    }
  }

  /** Changes the active keys of an account that match `which`, or all of them; returns how many. */
  const change = (
    accountId: number,
    which: Partial<Pick<Selectable<KeyTable>, 'hash' | 'tail'>>,
    changes: Updateable<KeyTable>,
  ): Promise<number> =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('keys')
        .set(changes)
        .where('accountId', '=', accountId)
        .where('revokedAt', 'is', null)
        .where((eb) => eb.and(which))
        .executeTakeFirst();
      await invalidateKeyHolders(trx);
      return Number(numUpdatedRows);
    });

  async function requireRate(trx: ServiceTransaction, accountId: number): Promise<void> {
    const now = clock.now();
    const made = await trx
      .selectFrom('keys')
      .select('createdAt')
      .where('accountId', '=', accountId)
      .where('createdAt', '>', now - HOUR_MS)
      .orderBy('createdAt', 'desc')
      .limit(MAX_PER_HOUR)
      .execute();
    const first = made[MAX_PER_HOUR - 1];
    if (!first) return;
    throw rateLimited(`An account may make at most ${MAX_PER_HOUR} keys an hour.`, {
      allowed: false,
      max: MAX_PER_HOUR,
      remaining: 0,
      resetMs: first.createdAt + HOUR_MS - now,
    });
  }

  return {
    /** Whose `key` is, unless it is unknown, revoked, or its account disabled. */
    resolve: createKeyHolders({ db, clock }),

    /**
     * A new key: `sk-` and 48 hexadecimal characters. Refused where the account has `MAX_ACTIVE` keys, or has made
     * `MAX_PER_HOUR` in the last hour. The active one that was made under `idempotencyKey`, while nobody has used it:
     * whoever lost the answer could not.
     */
    generate: (accountId: number, idempotencyKey: string | null = null): Promise<string> =>
      db.transaction().execute(async (trx) => {
        await lockAccounts(trx, [accountId]);
        const unused = await trx
          .selectFrom('keys')
          .select(['hash', 'sealed', 'tail'])
          .where('accountId', '=', accountId)
          // Without one it equals nothing.
          .where('idempotencyKey', '=', idempotencyKey)
          .where('lastUsedAt', 'is', null)
          .where('revokedAt', 'is', null)
          .orderBy('id', 'desc')
          .executeTakeFirst();
        try {
          if (unused) return open(unused);
        } catch {
          // Its seal cannot be opened any more: a new one takes its place.
        }
        const key = makeSecret('sk');
        const hash = hashSecret(key);
        const { active } = await trx
          .selectFrom('keys')
          .select((eb) => eb.fn.countAll<number>().as('active'))
          .where('accountId', '=', accountId)
          .where('revokedAt', 'is', null)
          .executeTakeFirstOrThrow();
        if (active >= MAX_ACTIVE) {
          throw new ApiError(
            'too_many_keys',
            `The account has ${active} active keys, which is the most it may have. Revoke one first.`,
            { details: { max: MAX_ACTIVE } },
          );
        }
        await requireRate(trx, accountId);
        await trx
          .insertInto('keys')
          .values({
            accountId,
            hash,
            sealed: vault.seal(key, keyContext(hash)),
            tail: tailOf(key),
            createdAt: clock.now(),
            lastUsedAt: null,
            revokedAt: null,
            idempotencyKey,
            maxRunning: null,
            maxWaiting: null,
            maxPerMinute: null,
          })
          .execute();
        return key;
      }),

    /** The newest active key of the account, masked unless `reveal`. Refused where it cannot be decrypted. */
    async current(accountId: number, { reveal }: { reveal: boolean }): Promise<string | null> {
      const newest = await db
        .selectFrom('keys')
        .select(['hash', 'sealed', 'tail'])
        .where('accountId', '=', accountId)
        .where('revokedAt', 'is', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!newest) return null;
      return reveal ? open(newest) : masked(newest.tail);
    },

    /** Revokes one key of the account, or all active ones; returns how many were revoked. */
    revoke: (accountId: number, key?: string): Promise<number> =>
      change(accountId, key === undefined ? {} : { hash: hashSecret(key) }, { revokedAt: clock.now() }),

    /** Whether the account has the key, or had it until it was revoked, as far as that is still known. */
    async had(accountId: number, key: string): Promise<boolean> {
      const found = await db
        .selectFrom('keys')
        .select('id')
        .where('accountId', '=', accountId)
        .where('hash', '=', hashSecret(key))
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Revokes the active keys of the account that end in `tail`, or all of them; returns how many were revoked. */
    revokeByTail: (accountId: number, tail?: string): Promise<number> =>
      change(accountId, tail === undefined ? {} : { tail }, { revokedAt: clock.now() }),

    /** The keys of the account, oldest first, by their last four characters; revoked ones until they are deleted. */
    list: (accountId: number) =>
      db
        .selectFrom('keys')
        .select(['tail', 'createdAt', 'lastUsedAt', 'revokedAt', 'maxRunning', 'maxWaiting', 'maxPerMinute'])
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute(),

    /** Sets limits of the account's active key that ends in `tail`; null removes one. */
    limit: (accountId: number, tail: string, limits: Partial<KeyLimits>): Promise<number> =>
      change(accountId, { tail }, limits),
  };
}
