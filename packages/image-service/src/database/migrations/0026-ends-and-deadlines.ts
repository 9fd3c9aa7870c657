import type { Migration } from './migration.ts';

/**
 * Unfinished tasks by their deadline and finished ones by their end, in one index. With one for each, SQLite took that
 * of ends to look for deadlines, and so read everything that waits.
 */
export const endsAndDeadlines: Migration = {
  name: '0026-ends-and-deadlines',

  async up(db) {
    await db.schema.dropIndex('unfinishedByDeadline').execute();
    await db.schema.dropIndex('tasksByEnd').execute();
    await db.schema.createIndex('tasksByEnd').on('tasks').columns(['finishedAt', 'deadlineAt']).execute();
  },
};
