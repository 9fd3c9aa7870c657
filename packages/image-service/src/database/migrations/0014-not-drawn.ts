import type { Migration } from './migration.ts';

/** What of a prompt its picture does not show. */
export const notDrawn: Migration = {
  name: '0014-not-drawn',

  async up(db) {
    await db.schema.alterTable('tasks').addColumn('notDrawn', 'text').execute();
  },
};
