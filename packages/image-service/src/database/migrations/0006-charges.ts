import type { Migration } from './migration.ts';

/** What a task that was cancelled while it was drawn has cost. */
export const charges: Migration = {
  name: '0006-charges',

  async up(db) {
    await db.schema.alterTable('tasks').addColumn('charged', 'bigint').execute();
  },
};
