import { sql } from 'kysely';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase } from '../database/database.ts';
import { withIds } from '../database/with-ids.ts';
import type { Ledger, Spendable } from '../ledger/ledger.ts';
import type { ServiceLimits } from '../limits.ts';
import { queueFull, type RateWindow } from '../rate-limit.ts';
import { disabledAccounts } from './disabled-accounts.ts';
import type { TaskState } from './tasks.ts';

/** How soon a caller whose queue is full may try again, in milliseconds, where nobody can tell when there is room. */
const QUEUE_FULL_RETRY_MS = 10_000;

/**
 * What decides whether a key's next submission is accepted, and in which turn. It is read once for all submissions of
 * a transaction, which then change it: what keys count together is one object.
 */
export interface Standing {
  /**
   * Whose submissions are counted together: `keyId` is 0 for all keys of the account without a limit of their own.
   */
  rate: { readonly accountId: number; readonly keyId: number; window: RateWindow | undefined };
  /** Pending tasks of the key, or of all keys of the account without a limit of their own. */
  waiting: { count: number };
  account: {
    /** What may be spent, in the order in which it is. */
    readonly grants: Spendable[];
    /** Of its unfinished tasks. */
    lastTurn: number;
  };
  /** Of all accounts: the turn that is being drawn, and the first that waits, but for disabled ones. */
  queue: { drawn: number; first: number | null };
}

/** The standings of keys. Whoever changes them has locked their accounts. */
export async function readStandings(
  trx: ServiceDatabase,
  ledger: Pick<Ledger, 'spendable'>,
  holders: readonly KeyHolder[],
): Promise<(holder: KeyHolder) => Standing> {
  const grants = await ledger.spendable(trx, [...new Set(holders.map(({ account }) => account.id))]);
  const queue: Standing['queue'] = { drawn: 0, first: null };
  const rates = new Map<string, Standing['rate']>();
  const waiting = new Map<string, Standing['waiting']>();
  const accounts = new Map<number, Standing['account']>();
  const standings = new Map<number, Standing>();
  for (const row of await findStandings(trx, [...new Set(holders.map(({ keyId }) => keyId))], {})) {
    const { keyId, accountId, startedAt, used } = row;
    const rateKey = row.maxPerMinute === null ? 0 : keyId;
    const window = startedAt === null || used === null ? undefined : { startedAt, used };
    standings.set(keyId, {
      rate: shared(rates, `${accountId} ${rateKey}`, { accountId, keyId: rateKey, window }),
      waiting: shared(waiting, `${accountId} ${row.maxWaiting === null ? 0 : keyId}`, { count: row.waiting }),
      account: shared(accounts, accountId, {
        grants: grants.get(accountId) ?? [],
        lastTurn: Math.max(row.lastWaiting ?? -1, row.lastDrawn ?? -1),
      }),
      queue: Object.assign(queue, { drawn: row.drawn ?? 0, first: row.first }),
    });
  }
  return ({ keyId }) => {
    const standing = standings.get(keyId);
    if (standing) return standing;
    throw new ApiError(
      'invalid_api_key',
      'This API key was revoked meanwhile, or its account locked or deleted.',
    );
  };
}

/** The first of those with the same key. */
function shared<Key, Value>(values: Map<Key, Value>, key: Key, own: Value): Value {
  const value = values.get(key) ?? own;
  values.set(key, value);
  return value;
}

/**
 * The turn that a new task gets. Refused where too many tasks are pending. `roomInMs` says when one of them should be
 * begun.
 */
export function nextTurn(
  { waiting: { count }, account, queue }: Standing,
  { maxWaiting }: KeyHolder,
  { limits, roomInMs }: { limits: Pick<ServiceLimits, 'waiting'>; roomInMs: () => number | undefined },
): number {
  const max = maxWaiting ?? limits.waiting;
  if (count < max) return turnAfter(account.lastTurn, queue);
  throw queueFull(
    `This ${maxWaiting === null ? 'account' : 'key'} has ${count} ${count === 1 ? 'task' : 'tasks'} waiting, and may have at most ${max}.`,
    roomInMs() ?? QUEUE_FULL_RETRY_MS,
    { max },
  );
}

/** The turn of a new task whose account's last unfinished one has `lastTurn`, -1 where it has none. */
export const turnAfter = (lastTurn: number, { drawn, first }: Standing['queue']): number =>
  Math.max(lastTurn + 1, drawn, first ?? 0);

/** Takes a task that is queued in this turn into account. */
export function joinQueue({ waiting, account, queue }: Standing, turn: number): void {
  waiting.count += 1;
  account.lastTurn = turn;
  queue.first = Math.min(queue.first ?? turn, turn);
}

const findStandings = withIds((db, keyIds: number[]) =>
  db
    .selectFrom('keys')
    .leftJoin('submissionRates', (join) =>
      join
        .onRef('submissionRates.accountId', '=', 'keys.accountId')
        .on('submissionRates.keyId', '=', sql`case when "maxPerMinute" is null then 0 else "keys"."id" end`),
    )
    .select(['keys.id as keyId', 'keys.accountId', 'maxPerMinute', 'maxWaiting', 'startedAt', 'used'])
    // Columns of their own, as SQLite takes twice as long for a union of them.
    .select([
      sql<number>`case when "maxWaiting" is null
        then (select count(*) from "tasks" where "state" = 'pending' and "keyId" in
          (select "id" from "keys" as "others" where "accountId" = "keys"."accountId" and "maxWaiting" is null))
        else (select count(*) from "tasks" where "state" = 'pending' and "keyId" = "keys"."id")
        end`.as('waiting'),
      lastTurn('pending').as('lastWaiting'),
      lastTurn('processing').as('lastDrawn'),
      sql<number | null>`(select max("turn") from "tasks" where "state" = 'processing')`.as('drawn'),
      sql<number | null>`(select min("turn") from "tasks"
        where "state" = 'pending' and "accountId" not in ${disabledAccounts})`.as('first'),
    ])
    .where('keys.id', 'in', keyIds)
    // A request may take a minute to arrive: meanwhile both may have ended.
    .where('keys.revokedAt', 'is', null)
    .where('keys.accountId', 'not in', disabledAccounts),
);

const lastTurn = (state: TaskState) =>
  sql<number | null>`
    (select max("turn") from "tasks" where "accountId" = "keys"."accountId" and "state" = ${sql.lit(state)})`;
