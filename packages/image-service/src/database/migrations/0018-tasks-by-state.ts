import type { Migration } from './migration.ts';

/** So that a page of an account's failed tasks is read without all that are not. */
export const tasksByState: Migration = {
  name: '0018-tasks-by-state',

  async up(db) {
    await db.schema
      .createIndex('tasksOfAccountByState')
      .on('tasks')
      .columns(['accountId', 'state', 'createdAt', 'id'])
      .execute();
  },
};
