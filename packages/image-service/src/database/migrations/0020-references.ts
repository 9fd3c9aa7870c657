import type { Migration } from './migration.ts';

/** By which callers know their tasks. */
export const references: Migration = {
  name: '0020-references',

  async up(db) {
    await db.schema.alterTable('tasks').addColumn('reference', 'text').execute();
  },
};
