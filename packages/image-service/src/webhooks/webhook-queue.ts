import type { WebhookStatus } from '@darkroom/image-api';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { ServiceLimits } from '../limits.ts';
import { waitMs } from './schedule.ts';
import type { SendResult } from './send-webhook.ts';

const write = (status: WebhookStatus): string => JSON.stringify(status);
/** Written by `write`. */
export const readWebhookStatus = (text: string): WebhookStatus => JSON.parse(text) as WebhookStatus;

/** The status of a webhook before its task has ended, and at that moment. */
const WAITING = write({ state: 'waiting', attempts: [] });
export const DUE = write({ state: 'pending', attempts: [] });

/** A webhook that this process may send until its lease ends. */
export interface ClaimedWebhook {
  taskId: string;
  accountId: number;
  /** See `urlOf`. */
  sealedUrl: string;
  /** Its number, from 1. */
  attempt: number;
  status: WebhookStatus;
}

export type WebhookQueue = ReturnType<typeof createWebhookQueue>;

/**
 * The webhooks that are to be sent. Each is written with its task and becomes due in the transaction that ends the task. A
 * process claims one by making it due again only after a lease; so one whose process is lost is sent again.
 */
export function createWebhookQueue({
  db,
  vault,
  clock,
  limits,
  random = Math.random,
}: {
  db: ServiceDatabase;
  vault: Vault;
  clock: Clock;
  limits: Pick<ServiceLimits, 'webhookLeaseMs'>;
  random?: (() => number) | undefined;
}) {
  const rowLocks = hasRowLocks(db);
  const context = (taskId: string) => `webhook of task ${taskId}`;

  const due = (now: number, busy: readonly number[]) =>
    db
      .selectFrom('webhooks as next')
      .select('next.taskId')
      .where('next.dueAt', '<=', now)
      .$if(busy.length > 0, (query) => query.where('next.accountId', 'not in', busy))
      .orderBy('next.dueAt')
      .limit(1)
      .$if(rowLocks, (query) => query.forUpdate().skipLocked());

  const held = ({ taskId, attempt }: ClaimedWebhook) => ({ taskId, attempts: attempt });

  return {
    /** Writes down the webhook of a task, in the transaction that queues the task. */
    async add(
      trx: ServiceTransaction,
      { taskId, accountId, url }: { taskId: string; accountId: number; url: URL },
    ): Promise<void> {
      const sealedUrl = vault.seal(url.href, context(taskId));
      await trx
        .insertInto('webhooks')
        .values({ taskId, accountId, sealedUrl, dueAt: null, attempts: 0, status: WAITING })
        .execute();
    },

    /** The next one that is due, of none of the `busy` accounts. */
    async claim(busy: readonly number[]): Promise<ClaimedWebhook | undefined> {
      const now = clock.now();
      // Read first: most of the time nothing is due, and an update would lock the database.
      const next = await due(now, busy).executeTakeFirst();
      if (!next) return undefined;
      const claimed = await db
        .updateTable('webhooks')
        .set((eb) => ({ dueAt: now + limits.webhookLeaseMs, attempts: eb('attempts', '+', 1) }))
        .where('taskId', 'in', due(now, busy))
        .returning(['taskId', 'accountId', 'sealedUrl', 'attempts', 'status'])
        .executeTakeFirst();
      if (!claimed) return undefined;
      const { taskId, accountId, sealedUrl, attempts, status } = claimed;
      return { taskId, accountId, sealedUrl, attempt: attempts, status: readWebhookStatus(status) };
    },

    /** Where it is sent. Throws where that cannot be decrypted. */
    urlOf: ({ taskId, sealedUrl }: ClaimedWebhook): URL => new URL(vault.open(sealedUrl, context(taskId))),

    /** Writes down what came of an attempt; nothing where another process has claimed it meanwhile. */
    async finish(claimed: ClaimedWebhook, result: SendResult): Promise<WebhookStatus> {
      const now = clock.now();
      const { outcome, retryAfterMs, ...attempt } = result;
      const wait = outcome === 'failed' ? waitMs(claimed.attempt, random, retryAfterMs) : undefined;
      const attempts = [...claimed.status.attempts, { at: new Date(now).toISOString(), ...attempt }];
      const status: WebhookStatus = { ...stateAfter(claimed, result, { wait, now }), attempts };
      await db
        .updateTable('webhooks')
        .set({ dueAt: wait === undefined ? null : now + wait, status: write(status) })
        .where((eb) => eb.and(held(claimed)))
        .execute();
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

    /** Forgets the webhook of a task that is gone. */
    async remove(taskId: string): Promise<void> {
      await db.deleteFrom('webhooks').where('taskId', '=', taskId).execute();
    },
  };
}

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
        ? 'The receiver said that it is gone.'
        : `Given up after ${attempt} attempts; at last ${last}.`,
  };
}
