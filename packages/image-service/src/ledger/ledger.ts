import type { Clock } from '@darkroom/time';
import { type Selectable, sql } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { EntryTable } from '../database/tables.ts';
import { toCredits } from './credits.ts';
import { addGrant, type Grant } from './grant.ts';
import {
  changeRemaining,
  findBeyondCap,
  findReserved,
  findSpendable,
  insertEntries,
  lockAccounts,
  type NewEntry,
  somethingLeft,
  sumRemaining,
} from './ledger-queries.ts';

const ENTRY_COLUMNS = [
  'id',
  'createdAt',
  'kind',
  'amount',
  'grantId',
  'taskId',
] as const satisfies (keyof EntryTable)[];

/** An entry as an operator reads it, where the list is whole with the sum of all up to it. */
export type ListedEntry = Pick<Selectable<EntryTable>, (typeof ENTRY_COLUMNS)[number]> & { after?: number };

/** A grant of which something may be spent, in thousandths of a credit. */
export interface Spendable {
  grantId: number;
  remaining: number;
}

/** A part of a grant, in thousandths of a credit. */
export interface Share {
  grantId: number;
  amount: number;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Credits as an append-only list of entries. An account's balance is the sum of the entries of its unexpired grants.
 * A task's cost is reserved when the task is created and captured when it completes, or else released; of a task that
 * is cancelled while it is drawn, and of a caller's graph that fails then, a part is captured and the rest released.
 */
export function createLedger({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  /** Writes off what is left of a grant; returns how much that was, undefined where the account has no such grant. */
  async function writeOff(
    trx: ServiceTransaction,
    { accountId, grantId, kind }: { accountId: number; grantId: number; kind: 'expire' | 'revoke' },
  ): Promise<number | undefined> {
    await lockAccounts(trx, [accountId]);
    const grant = await trx
      .selectFrom('grants')
      .select('remaining')
      .where('id', '=', grantId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (grant && grant.remaining > 0) {
      const amount = -grant.remaining;
      await add(trx, [{ accountId, grantId, taskId: null, kind, amount, createdAt: clock.now() }]);
    }
    return grant?.remaining;
  }

  /**
   * Spends `charged` of what was reserved for a task, all of it where it is completed, in the order in which it was
   * reserved. The rest goes back to its grants, where it may expire; what comes back to an allowance that has given
   * anew meanwhile, beyond its cap, does so at once.
   */
  async function settle(trx: ServiceTransaction, taskId: string, charged: number): Promise<void> {
    const createdAt = clock.now();
    const entries: NewEntry[] = [];
    let due = charged;
    for (const { amount, ...entry } of await findReserved(trx, { taskId })) {
      const spent = Math.min(due, -amount);
      due -= spent;
      if (spent > 0) entries.push({ ...entry, taskId, kind: 'capture', amount: 0, createdAt });
      if (spent < -amount)
        entries.push({ ...entry, taskId, kind: 'release', amount: -amount - spent, createdAt });
    }
    await add(trx, entries);
    for (const released of entries.filter(({ kind }) => kind === 'release')) {
      const [{ beyond } = { beyond: 0 }] = await findBeyondCap(trx, released);
      const amount = -Math.min(beyond, released.amount);
      if (amount < 0) await add(trx, [{ ...released, taskId: null, kind: 'expire', amount }]);
    }
  }

  return {
    /** Adds a grant; false where it was added before under the same `once`. */
    grant: (grant: Grant): Promise<boolean> =>
      db.transaction().execute((trx) => addGrant(trx, grant, clock.now())),

    /** What the account was given under this `once`. */
    grantedOnce: (accountId: number, once: string) =>
      db
        .selectFrom('grants')
        .innerJoin('entries', 'entries.grantId', 'grants.id')
        .select(['grants.createdAt', 'grants.expiresAt', 'entries.amount'])
        .where('grants.accountId', '=', accountId)
        .where('grants.once', '=', once)
        .where('entries.kind', '=', 'grant')
        .executeTakeFirstOrThrow(),

    /** The account's grants, oldest first. */
    grants: (accountId: number) =>
      db
        .selectFrom('grants')
        .select(['id', 'createdAt', 'expiresAt', 'note', 'remaining'])
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute(),

    /** The account's latest entries, newest first, each with the sum of all up to it: no more than these are read. */
    entries: (accountId: number, { limit }: { limit: number }) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('entries')
            .select(ENTRY_COLUMNS)
            .where('accountId', '=', accountId)
            .orderBy('id', 'desc')
            .limit(limit)
            .as('latest'),
        )
        .selectAll()
        .select((eb) =>
          eb(
            eb
              .selectFrom('grants')
              .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('remaining'), lit(0)).as('remaining'))
              .where('accountId', '=', accountId)
              .where(somethingLeft),
            '-',
            sql<number>`coalesce(sum("amount") over (order by "id" desc rows between unbounded preceding and 1 preceding), 0)`,
          ).as('after'),
        )
        .orderBy('id', 'desc')
        .execute(),

    /** The account's latest entries for a task, newest first. */
    entriesOfTask: (accountId: number, taskId: string, { limit }: { limit: number }) =>
      db
        .selectFrom('entries')
        .select(ENTRY_COLUMNS)
        .where('taskId', '=', taskId)
        // With the sign no index has it: SQLite would read all entries of the account.
        .where(sql`+"accountId"`, '=', accountId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** What was drawn on the days from `from` to `to` (see `dayOf`), oldest first; for all accounts unless one is given. */
    usage: ({ accountId, from, to }: { accountId?: number | undefined; from: number; to: number }) =>
      db
        .selectFrom('usage')
        .select('day')
        .select((eb) => [
          eb.fn.sum<number>('completed').as('completed'),
          eb.fn.sum<number>('failed').as('failed'),
          eb.fn.sum<number>('cost').as('cost'),
        ])
        .where('day', '>=', from)
        .where('day', '<=', to)
        .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? 0))
        .groupBy('day')
        .orderBy('day')
        .execute(),

    /** The unexpired credits, in thousandths of a credit. */
    async balance(accountId: number): Promise<number> {
      const [{ balance } = { balance: 0 }] = await sumRemaining(db, { accountId, now: clock.now() });
      return balance;
    },

    /** What each of the accounts may spend. Whoever takes of it has locked them. */
    async spendable(trx: ServiceDatabase, accountIds: readonly number[]): Promise<Map<number, Spendable[]>> {
      const ofAccount = new Map<number, Spendable[]>(accountIds.map((id) => [id, []]));
      for (const { accountId, ...grant } of await findSpendable(trx, accountIds, { now: clock.now() }))
        ofAccount.get(accountId)?.push(grant);
      return ofAccount;
    },

    reserve(
      trx: ServiceTransaction,
      tasks: readonly { accountId: number; taskId: string; shares: readonly Share[] }[],
    ): Promise<void> {
      const createdAt = clock.now();
      return add(
        trx,
        tasks.flatMap(({ shares, ...task }) =>
          shares.map(({ grantId, amount }) => ({
            ...task,
            grantId,
            kind: 'reserve' as const,
            amount: -amount,
            createdAt,
          })),
        ),
      );
    },

    settle,

    /** Writes off what is left of expired grants, one by one until `signal` aborts; returns how many there were. */
    async expire(signal?: AbortSignal): Promise<number> {
      const expired = await db
        .selectFrom('grants')
        .select(['id', 'accountId'])
        .where('expiresAt', '<=', clock.now())
        .where(somethingLeft)
        .execute();
      for (const { id, accountId } of expired) {
        if (signal?.aborted) break;
        await db.transaction().execute((trx) => writeOff(trx, { accountId, grantId: id, kind: 'expire' }));
      }
      return expired.length;
    },

    /**
     * Ends a grant: what is left of it is written off, and what unfinished tasks release into it expires at once.
     * What was spent stays spent. Returns how much was left; undefined where the account has no such grant.
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

/**
 * Takes `amount` of grants, those that are spent first before the others; refused where they have too little, and
 * then nothing is taken.
 */
export function spend(grants: readonly Spendable[], amount: number): Share[] {
  const balance = grants.reduce((sum, { remaining }) => sum + remaining, 0);
  if (balance < amount) throw insufficient(amount, balance, 'costs');
  const shares: Share[] = [];
  let missing = amount;
  for (const grant of grants) {
    const share = Math.min(missing, grant.remaining);
    if (share === 0) continue;
    grant.remaining -= share;
    missing -= share;
    shares.push({ grantId: grant.grantId, amount: share });
  }
  return shares;
}

export const insufficient = (amount: number, milli: number, costs: 'costs' | 'costs at least'): ApiError => {
  const [required, balance] = [toCredits(amount), toCredits(milli)];
  return new ApiError(
    'insufficient_balance',
    `The account has too few credits: this picture ${costs} ${required}, and the balance is ${balance}.`,
    { details: { required, balance } },
  );
};

/** Inserts entries and updates what is left of their grants. */
async function add(trx: ServiceTransaction, entries: readonly NewEntry[]): Promise<void> {
  await insertEntries(trx, entries);
  const changes = new Map<number, number>();
  for (const { grantId, amount } of entries)
    if (amount !== 0) changes.set(grantId, (changes.get(grantId) ?? 0) + amount);
  await changeRemaining(
    trx,
    [...changes].map(([grantId, amount]) => ({ grantId, amount })),
  );
}
