import type { Clock } from '../../clock.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import {
  changeRemaining,
  findReserved,
  findSpendable,
  insertEntry,
  lockAccount,
  type NewEntry,
  sumRemaining,
} from './ledger-queries.ts';

/** Amounts are integers of a thousandth of a credit: no sum is ever rounded. */
export const MILLI = 1_000;

export const toMilli = (credits: number): number => Math.round(credits * MILLI);
export const toCredits = (milli: number): number => milli / MILLI;

export interface Grant {
  accountId: number;
  /** Thousandths of a credit, more than 0. */
  amount: number;
  /** Milliseconds since the epoch; permanent unless given. */
  expiresAt?: number | undefined;
  note?: string | undefined;
}

/** A part of a grant, in thousandths of a credit. */
export interface Share {
  grantId: number;
  amount: number;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Credits as an append-only list of entries. An account's balance is the sum of the entries of its unexpired grants.
 * A task's cost is reserved when the task is created and captured when it completes, or else released.
 */
export function createLedger({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  return {
    async grant({ accountId, amount, expiresAt, note = '' }: Grant): Promise<void> {
      if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error('a grant is more than 0 credits');
      const createdAt = clock.now();
      await db.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('grants')
          .values({ accountId, createdAt, expiresAt: expiresAt ?? null, note, remaining: amount })
          .returning('id')
          .executeTakeFirstOrThrow();
        await trx
          .insertInto('entries')
          .values({ accountId, grantId: id, taskId: null, kind: 'grant', amount, createdAt })
          .execute();
      });
    },

    /** The account's grants, oldest first. */
    grants: (accountId: number) =>
      db
        .selectFrom('grants')
        .select(['id', 'createdAt', 'expiresAt', 'note', 'remaining'])
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute(),

    /** In thousandths of a credit: permanent credits and temporary ones that have not expired. */
    async balance(accountId: number): Promise<number> {
      const [{ balance } = { balance: 0 }] = await sumRemaining(db, { accountId, now: clock.now() });
      return balance;
    },

    /**
     * Which credits would pay `amount`, those that expire soonest first; refused where there are too few. The caller
     * has locked the account.
     */
    async afford(trx: ServiceTransaction, accountId: number, amount: number): Promise<Share[]> {
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
      throw new Refusal(
        'insufficient_balance',
        `The account has too few credits: this picture costs ${required}, and the balance is ${balance}.`,
        { details: { required, balance } },
      );
    },

    /** Sets credits aside for a task. */
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

    /** The task is done: what was reserved for it is spent. */
    async capture(trx: ServiceTransaction, taskId: string): Promise<void> {
      for (const entry of await findReserved(trx, { taskId })) {
        await add(trx, { ...entry, taskId, kind: 'capture', amount: 0, createdAt: clock.now() });
      }
    },

    /** The task will not be done: what was reserved for it goes back where it came from, and may expire there. */
    async release(trx: ServiceTransaction, taskId: string): Promise<void> {
      for (const { amount, ...entry } of await findReserved(trx, { taskId })) {
        await add(trx, { ...entry, taskId, kind: 'release', amount: -amount, createdAt: clock.now() });
      }
    },

    /** Writes off what is left of expired grants; returns how many there were. */
    async expire(): Promise<number> {
      const now = clock.now();
      const expired = await db
        .selectFrom('grants')
        .select(['id', 'accountId'])
        .where('expiresAt', '<=', now)
        .where('remaining', '>', 0)
        .execute();
      for (const { id, accountId } of expired) {
        await db.transaction().execute(async (trx) => {
          await lockAccount(trx, { accountId });
          const { remaining } = await trx
            .selectFrom('grants')
            .select('remaining')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          if (remaining === 0) return;
          await add(trx, {
            accountId,
            grantId: id,
            taskId: null,
            kind: 'expire',
            amount: -remaining,
            createdAt: now,
          });
        });
      }
      return expired.length;
    },
  };
}

/** An entry, and what it changes of its grant. */
async function add(trx: ServiceTransaction, entry: NewEntry): Promise<void> {
  await insertEntry(trx, entry);
  if (entry.amount !== 0) await changeRemaining(trx, { grantId: entry.grantId, amount: entry.amount });
}
