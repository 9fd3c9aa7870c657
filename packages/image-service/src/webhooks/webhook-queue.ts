import { hash } from 'node:crypto';
import type { WebhookStatus } from '@darkroom/image-api';
import type { Vault } from '@darkroom/storage';
import { type Clock, createBatch } from '@darkroom/time';
import type { Selectable, Updateable } from 'kysely';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { inList } from '../database/in-list.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { WebhookTable } from '../database/tables.ts';
import { withRows } from '../database/with-rows.ts';
import type { ServiceLimits } from '../limits.ts';
import { waitMs } from './schedule.ts';
import type { SendResult } from './send-webhook.ts';
import type { Owner } from './shares.ts';

/** Of the hash by which a receiver is known: an account has no more of them than a look can go through. */
const RECEIVER_DIGITS = 2;
/** What is known of a receiver without its address; of some origins of an account the same. */
export const receiverOf = (accountId: number, { origin }: URL): string =>
  `${accountId} ${hash('sha256', `${accountId} ${origin}`).slice(0, RECEIVER_DIGITS)}`;
/** Of the attempts of a webhook, how many are kept when it is sent again. */
const MOST_KEPT = 20;
/** Webhooks that are claimed by one statement. */
const MOST_AT_ONCE = 64;

const write = (status: WebhookStatus): string => JSON.stringify(status);
/** Written by `write`. */
export const readWebhookStatus = (text: string): WebhookStatus => JSON.parse(text) as WebhookStatus;

/** The status of a webhook before its task has ended, and at that moment. */
const WAITING = write({ state: 'waiting', attempts: [] });
export const DUE = write({ state: 'pending', attempts: [] });

/** Says to the vault whose webhook an address is of. */
export const webhookContext = (taskId: string): string => `webhook of task ${taskId}`;

export interface DueWebhook extends Owner {
  taskId: string;
}

/** A webhook that this process may send until its lease ends. */
export interface ClaimedWebhook extends DueWebhook {
  /** See `urlOf`. */
  sealedUrl: string;
  /** Its number, from 1. */
  attempt: number;
  status: WebhookStatus;
}

export type WebhookQueue = ReturnType<typeof createWebhookQueue>;

/**
 * The webhooks that are to be sent. Each is written with its task and becomes due in the transaction that ends the
 * task. A process claims one by making it due again only after a lease; so one whose process is lost is sent again.
 */
export function createWebhookQueue({
  db,
  vault,
  clock,
  limits,
}: {
  db: ServiceDatabase;
  vault: Vault;
  clock: Clock;
  limits: Pick<ServiceLimits, 'webhookLeaseMs'>;
}) {
  const rowLocks = hasRowLocks(db);

  const held = ({ taskId, attempt }: ClaimedWebhook) => ({ taskId, attempts: attempt });

  /** What ends at one moment shares a durable write. */
  const record = createBatch<{ claimed: ClaimedWebhook; changes: Updateable<WebhookTable> }, undefined>(
    (all) =>
      db.transaction().execute(async (trx) => {
        for (const { claimed, changes } of all) {
          await trx
            .updateTable('webhooks')
            .set(changes)
            .where((eb) => eb.and(held(claimed)))
            .execute();
        }
        return [];
      }),
  );

  return {
    /** Writes down the webhooks of tasks, in the transaction that queues the tasks. */
    async add(
      trx: ServiceTransaction,
      webhooks: readonly { taskId: string; accountId: number; url: URL }[],
    ): Promise<void> {
      await insertWebhooks(
        trx,
        webhooks.map(({ taskId, accountId, url }) => ({
          taskId,
          accountId,
          receiver: receiverOf(accountId, url),
          sealedUrl: vault.seal(url.href, webhookContext(taskId)),
          dueAt: null,
          attempts: 0,
          status: WAITING,
        })),
      );
    },

    /**
     * The first due of each receiver, some of them where there are many, longest first; of none of the `busy`. Another
     * of the same receiver is read only once this one is claimed: one that hangs may have a day's. Where nothing is due,
     * the receivers are not gone through: some may wait for a day.
     */
    async due(busy: { accounts: readonly number[]; receivers: readonly string[] }): Promise<DueWebhook[]> {
      const now = clock.now();
      const first = await db
        .selectFrom('webhooks')
        .select('taskId')
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .limit(1)
        .execute();
      if (first.length === 0) return [];
      return db
        .withRecursive('receivers', (receivers) =>
          receivers
            .selectFrom('webhooks')
            .select(({ fn }) => fn.min<string | null>('receiver').as('receiver'))
            .where('dueAt', 'is not', null)
            .unionAll(
              receivers
                .selectFrom('receivers')
                .select((eb) =>
                  eb
                    .selectFrom('webhooks')
                    .select(({ fn }) => fn.min('webhooks.receiver').as('receiver'))
                    .where('dueAt', 'is not', null)
                    .whereRef('webhooks.receiver', '>', 'receivers.receiver')
                    .as('receiver'),
                )
                .where('receivers.receiver', 'is not', null),
            ),
        )
        .selectFrom('webhooks')
        .select(['taskId', 'accountId', 'receiver'])
        .where('taskId', 'in', (eb) =>
          eb
            .selectFrom('receivers')
            .select((first) =>
              first
                .selectFrom('webhooks as due')
                .select('due.taskId')
                .where('due.dueAt', 'is not', null)
                // Not `=`, with which PostgreSQL takes the index of all that is due where it guesses that as short.
                .whereRef('due.receiver', '>=', 'receivers.receiver')
                .orderBy('due.receiver')
                .orderBy('due.dueAt')
                .limit(1)
                .as('taskId'),
            )
            .$if(busy.receivers.length > 0, (query) =>
              query.where('receivers.receiver', 'not in', inList(busy.receivers)),
            ),
        )
        .where('dueAt', '<=', now)
        .$if(busy.accounts.length > 0, (query) => query.where('accountId', 'not in', inList(busy.accounts)))
        .orderBy('dueAt')
        .limit(MOST_AT_ONCE)
        .execute();
    },

    /** Claims those of `chosen` that no other process has claimed meanwhile. */
    async claim(chosen: readonly DueWebhook[]): Promise<ClaimedWebhook[]> {
      const now = clock.now();
      const claimed = await db
        .updateTable('webhooks')
        .set((eb) => ({ dueAt: now + limits.webhookLeaseMs, attempts: eb('attempts', '+', 1) }))
        .where('taskId', 'in', (eb) =>
          eb
            .selectFrom('webhooks as due')
            .select('due.taskId')
            .where('due.taskId', 'in', inList(chosen.map(({ taskId }) => taskId)))
            .where('due.dueAt', '<=', now)
            .$if(rowLocks, (query) => query.forUpdate().skipLocked()),
        )
        .returning(['taskId', 'accountId', 'receiver', 'sealedUrl', 'attempts as attempt', 'status'])
        .execute();
      return claimed.map(({ status, ...webhook }) => ({ ...webhook, status: readWebhookStatus(status) }));
    },

    /** Where it is sent; undefined where that was erased with a lost secret. Throws where it cannot be decrypted. */
    urlOf: ({ taskId, sealedUrl }: ClaimedWebhook): URL | undefined =>
      sealedUrl === '' ? undefined : new URL(vault.open(sealedUrl, webhookContext(taskId))),

    /** Writes down what came of an attempt; nothing where another process has claimed it meanwhile. */
    async finish(claimed: ClaimedWebhook, result: SendResult): Promise<WebhookStatus> {
      const now = clock.now();
      const { outcome, retryAfterMs, ...attempt } = result;
      const wait = outcome === 'failed' ? waitMs(claimed.attempt, Math.random, retryAfterMs) : undefined;
      const attempts = [...claimed.status.attempts, { at: new Date(now).toISOString(), ...attempt }];
      const status: WebhookStatus = { ...stateAfter(claimed, result, { wait, now }), attempts };
      await record({
        claimed,
        changes: { dueAt: wait === undefined ? null : now + wait, status: write(status) },
      });
      return status;
    },

    /** Gives one back as if it had not been claimed. */
    async release(claimed: ClaimedWebhook): Promise<void> {
      await db
        .updateTable('webhooks')
        .set({ dueAt: clock.now(), attempts: claimed.attempt - 1 })
        .where((eb) => eb.and(held(claimed)))
        .execute();
    },

    /**
     * Makes the webhook of a task due again that was delivered or given up, as its next attempt. False where the task
     * has no webhook; one that waits, or is being sent, is left alone.
     */
    async resend(taskId: string): Promise<boolean> {
      const webhook = await db
        .selectFrom('webhooks')
        .select(['attempts', 'status'])
        .where('taskId', '=', taskId)
        .executeTakeFirst();
      if (!webhook) return false;
      const { state, attempts } = readWebhookStatus(webhook.status);
      if (state !== 'delivered' && state !== 'disabled') return true;
      const status = write({ state: 'pending', attempts: attempts.slice(-MOST_KEPT) });
      await db
        .updateTable('webhooks')
        .set({ dueAt: clock.now(), status })
        .where((eb) => eb.and({ taskId, attempts: webhook.attempts }))
        .where('dueAt', 'is', null)
        .execute();
      return true;
    },

    async remove(taskId: string): Promise<void> {
      await db.deleteFrom('webhooks').where('taskId', '=', taskId).execute();
    },
  };
}

const insertWebhooks = withRows(
  {
    taskId: true,
    accountId: true,
    receiver: true,
    sealedUrl: true,
    dueAt: true,
    attempts: true,
    status: true,
  },
  (db, webhooks: Selectable<WebhookTable>[]) => db.insertInto('webhooks').values(webhooks),
);

function stateAfter(
  { attempt }: ClaimedWebhook,
  { outcome, error, status }: SendResult,
  { wait, now }: { wait: number | undefined; now: number },
): Omit<WebhookStatus, 'attempts'> {
  if (outcome === 'delivered') return { state: 'delivered' };
  if (wait !== undefined) return { state: 'pending', next_attempt_at: new Date(now + wait).toISOString() };
  const last = error ?? `it answered ${status}`;
  return {
    state: 'disabled',
    reason:
      outcome === 'gone'
        ? (error ?? 'The receiver said that it is gone.')
        : `Given up after ${attempt} attempts; at last ${last}.`,
  };
}

/** What became of the webhooks of an account's latest tasks, newest first. */
export async function findWebhooks(db: ServiceDatabase, accountId: number, limit: number) {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('tasks', 'tasks.id', 'webhooks.taskId')
    .select(['webhooks.taskId', 'webhooks.status'])
    .where('webhooks.accountId', '=', accountId)
    // The same account: an index has its tasks in this order.
    .where('tasks.accountId', '=', accountId)
    .orderBy('tasks.createdAt', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ taskId, status }) => ({ taskId, ...readWebhookStatus(status) }));
}
