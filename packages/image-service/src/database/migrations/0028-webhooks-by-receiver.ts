import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** So that the first due webhook of each receiver is found without the others: one that hangs may have a day's. */
export const webhooksByReceiver: Migration = {
  name: '0028-webhooks-by-receiver',

  async up(db) {
    await db.schema.dropIndex('webhooksByDue').execute();
    await db.schema
      .createIndex('webhooksByReceiver')
      .on('webhooks')
      .columns(['receiver', 'dueAt'])
      .where(sql.ref('dueAt'), 'is not', null)
      .execute();
  },
};
