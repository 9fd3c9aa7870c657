import type { Clock } from '@darkroom/time';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { addGrant, type Grant } from './grant.ts';
import {
  changeRemaining,
  findReserved,
  findSpendable,
  insertEntry,
  lockAccount,
  type NewEntry,
  sumRemaining,
} from './ledger-queries.ts';

/** Amounts are integers in thousandths of a credit, so that no sum is ever rounded. */
export const MILLI = 1_000;

export const toMilli = (credits: number): number => Math.round(credits * MILLI);
export const toCredits = (milli: number): number => milli / MILLI;

/** A part of a grant, in thousandths of a credit. */
export interface Share {
  grantId: number;
  amount: number;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Credits as an append-only list of entries. An account's balance is the sum of the entries of its unexpired grants.
 * A task's cost is reserved when the task is created and captured when it completes, or else released; of a task that is
 * cancelled while it is drawn, a part is captured and the rest released.
 */
export function createLedger({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  /** Writes off what is left of a grant; returns how much that was, undefined where the account has no such grant. */
  async function writeOff(
    trx: ServiceTransaction,
    { accountId, grantId, kind }: { accountId: number; grantId: number; kind: 'expire' | 'revoke' },
  ): Promise<number | undefined> {
    await lockAccount(trx, { accountId });
    const grant = await trx
      .selectFrom('grants')
      .select('remaining')
      .where('id', '=', grantId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (grant && grant.remaining > 0) {
      const amount = -grant.remaining;
      await add(trx, { accountId, grantId, taskId: null, kind, amount, createdAt: clock.now() });
    }
    return grant?.remaining;
  }

  /** Spends `charged` of what was reserved for a task, of the credits that expire soonest, and returns the rest. */
  async function settle(trx: ServiceTransaction, taskId: string, charged: number): Promise<void> {
    const createdAt = clock.now();
    let due = charged;
    for (const { amount, ...entry } of await findReserved(trx, { taskId })) {
      const spent = Math.min(due, -amount);
      due -= spent;
      if (spent > 0) await add(trx, { ...entry, taskId, kind: 'capture', amount: 0, createdAt });
      if (spent < -amount)
        await add(trx, { ...entry, taskId, kind: 'release', amount: -amount - spent, createdAt });
    }
  }

  return {
    /** Adds a grant; false where it was added before under the same `once`. */
    grant: (grant: Grant): Promise<boolean> =>
      db.transaction().execute((trx) => addGrant(trx, grant, clock.now())),

    /** The account's grants, oldest first. */
    grants: (accountId: number) =>
      db
        .selectFrom('grants')
        .select(['id', 'createdAt', 'expiresAt', 'note', 'remaining'])
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute(),

    /** The unexpired credits, in thousandths of a credit. */
    async balance(accountId: number): Promise<number> {
      const [{ balance } = { balance: 0 }] = await sumRemaining(db, { accountId, now: clock.now() });
      return balance;
    },

    /**
     * The grants that would pay `amount`, those that expire soonest first; refused where the credits are too few. Whoever
     * takes them has locked the account.
     */
    async afford(trx: ServiceDatabase, accountId: number, amount: number): Promise<Share[]> {
      const grants = await findSpendable(trx, { accountId, now: clock.now() });
      const shares: Share[] = [];
      let missing = amount;
      for (const { id, remaining } of grants) {
        if (missing === 0) break;
        const share = Math.min(missing, remaining);
        missing -= share;
        shares.push({ grantId: id, amount: share });
      }
      if (missing === 0) return shares;
      const balance = toCredits(amount - missing);
      const required = toCredits(amount);
      throw new ApiError(
        'insufficient_balance',
        `The account has too few credits: this picture costs ${required}, and the balance is ${balance}.`,
        { details: { required, balance } },
      );
    },

    /** Reserves credits for a task. */
    async reserve(
      trx: ServiceTransaction,
      { accountId, taskId, shares }: { accountId: number; taskId: string; shares: readonly Share[] },
    ): Promise<void> {
      for (const { grantId, amount } of shares) {
        await add(trx, {
          accountId,
          grantId,
          taskId,
          kind: 'reserve',
          amount: -amount,
          createdAt: clock.now(),
        });
      }
    },

    /** Spends what was reserved for a task, which is completed. */
    async capture(trx: ServiceTransaction, taskId: string): Promise<void> {
      for (const entry of await findReserved(trx, { taskId })) {
        await add(trx, { ...entry, taskId, kind: 'capture', amount: 0, createdAt: clock.now() });
      }
    },

    /** Returns what was reserved for a task to its grants, where it may expire. */
    release: (trx: ServiceTransaction, taskId: string): Promise<void> => settle(trx, taskId, 0),

    settle,

    /** Writes off what is left of expired grants; returns how many there were. */
    async expire(): Promise<number> {
      const expired = await db
        .selectFrom('grants')
        .select(['id', 'accountId'])
        .where('expiresAt', '<=', clock.now())
        .where('remaining', '>', 0)
        .execute();
      for (const { id, accountId } of expired) {
        await db.transaction().execute((trx) => writeOff(trx, { accountId, grantId: id, kind: 'expire' }));
      }
      return expired.length;
    },

    /**
     * Ends a grant: what is left of it is written off, and what unfinished tasks release into it expires at once. What
     * was spent stays spent. Returns how much was left; undefined where the account has no such grant.
     */
    revoke: (accountId: number, grantId: number): Promise<number | undefined> =>
      db.transaction().execute(async (trx) => {
        const left = await writeOff(trx, { accountId, grantId, kind: 'revoke' });
        await trx
          .updateTable('grants')
          .set({ expiresAt: clock.now() })
          .where('id', '=', grantId)
          .where('accountId', '=', accountId)
          .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', clock.now())]))
          .execute();
        return left;
      }),
  };
}

/** Inserts an entry and updates what is left of its grant. */
async function add(trx: ServiceTransaction, entry: NewEntry): Promise<void> {
  await insertEntry(trx, entry);
  if (entry.amount !== 0) await changeRemaining(trx, { grantId: entry.grantId, amount: entry.amount });
}
