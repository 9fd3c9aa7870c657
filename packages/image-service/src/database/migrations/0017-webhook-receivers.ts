import type { Migration } from './migration.ts';

/** By which webhooks of one receiver are told from those of others, without its address. */
export const webhookReceivers: Migration = {
  name: '0017-webhook-receivers',

  async up(db) {
    await db.schema
      .alterTable('webhooks')
      .addColumn('receiver', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
