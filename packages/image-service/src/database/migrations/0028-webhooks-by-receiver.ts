import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * So that the first due webhook of each receiver is found without the others: one that hangs may have a day's. An
 * account has at most 256 receivers from now on, each known by its account and by the first two digits of its hash.
 */
export const webhooksByReceiver: Migration = {
  name: '0028-webhooks-by-receiver',

  async up(db) {
    await sql`update webhooks set receiver = "accountId" || ' ' || substr(receiver, 1, 2)`.execute(db);
    await db.schema
      .createIndex('webhooksByReceiver')
      .on('webhooks')
      .columns(['receiver', 'dueAt'])
      .where(sql.ref('dueAt'), 'is not', null)
      .execute();
  },
};
