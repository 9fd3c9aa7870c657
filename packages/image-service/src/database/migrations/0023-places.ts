import type { Migration } from './migration.ts';

/** What the machines that draw a task tell of its place among all that waits for them, and of its end. */
export const places: Migration = {
  name: '0023-places',

  async up(db) {
    await db.schema.alterTable('tasks').addColumn('position', 'integer').execute();
    await db.schema.alterTable('tasks').addColumn('endsAt', 'bigint').execute();
  },
};
