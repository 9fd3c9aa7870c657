import type { Migration } from './migration.ts';

/** The name by which an engine finds a task's drawing on another machine. */
export const remembered: Migration = {
  name: '0016-remembered',

  async up(db) {
    await db.schema.alterTable('tasks').addColumn('remembered', 'text').execute();
  },
};
