import { sql } from 'kysely';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
import type { ServiceTransaction } from '../database/database.ts';
import { DUE } from '../webhooks/webhook-queue.ts';

/** How a task ends: with a picture, or failed with an error code; `refused`: because of what its caller asked for. */
export const TASK_OUTCOMES = ['completed', 'drawing_failed', 'refused', 'timed_out', 'cancelled'] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

/**
 * Called when a task may have ended in this process; with how, and what it was charged in thousandths of a credit, where
 * it did.
 */
export type OnEnded = (taskId: string, ended?: { outcome: TaskOutcome; charged: number }) => void;

/**
 * What follows from the end of a task. To be called in the transaction that ends it, once its credits are settled.
 */
export async function taskEnded(trx: ServiceTransaction, taskId: string, now: number): Promise<void> {
  await countUsage(trx, { taskId });
  await makeWebhookDue(trx, { taskId, now });
}

const makeWebhookDue = compileOnce((db, value: Placeholders<{ taskId: string; now: number }>) =>
  db
    .updateTable('webhooks')
    .set({ dueAt: value('now'), status: DUE })
    .where('taskId', '=', value('taskId')),
);

/** By the ledger, as what a task was charged may be a part of its cost. */
const countUsage = compileOnce((db, value: Placeholders<{ taskId: string }>) => {
  const counted = sql`
    insert into "usage" ("accountId", "day", "completed", "failed", "cost")
    select "accountId", "finishedAt" / 86400000,
      case when "state" = 'completed' then 1 else 0 end,
      case when "state" = 'failed' then 1 else 0 end,
      coalesce((select -sum("amount") from "entries" where "entries"."taskId" = "tasks"."id"), 0)
    from "tasks" where "id" = ${value('taskId')}
    on conflict ("accountId", "day") do update set
      "completed" = "usage"."completed" + excluded."completed",
      "failed" = "usage"."failed" + excluded."failed",
      "cost" = "usage"."cost" + excluded."cost"`;
  return { compile: () => counted.compile(db) };
});
