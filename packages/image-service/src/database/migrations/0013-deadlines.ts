import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const deadlines: Migration = {
  name: '0013-deadlines',

  async up(db) {
    await db.schema
      .createIndex('unfinishedByDeadline')
      .on('tasks')
      .column('deadlineAt')
      .where(sql.ref('finishedAt'), 'is', null)
      .execute();
  },
};
