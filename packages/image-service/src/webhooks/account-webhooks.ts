import type { ServiceDatabase } from '../database/database.ts';
import { readWebhookStatus } from './webhook-queue.ts';

/** What became of the webhooks of an account's latest tasks, newest first. */
export async function findWebhooks(db: ServiceDatabase, accountId: number, limit: number) {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('tasks', 'tasks.id', 'webhooks.taskId')
    .select(['webhooks.taskId', 'webhooks.status'])
    .where('webhooks.accountId', '=', accountId)
    .orderBy('tasks.createdAt', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ taskId, status }) => ({ taskId, ...readWebhookStatus(status) }));
}
