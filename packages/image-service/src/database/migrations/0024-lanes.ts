import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** In whose slots a task is drawn: so that what waits for one of them is claimed without what waits for the other. */
export const lanes: Migration = {
  name: '0024-lanes',

  async up(db) {
    await db.schema
      .alterTable('tasks')
      .addColumn('lane', 'text', (column) => column.notNull().defaultTo('engine'))
      .execute();
    await db.schema.dropIndex('queueOfWorkflow').execute();
    await db.schema
      .createIndex('queueOfLane')
      .on('tasks')
      .columns(['lane', 'workflow', 'turn', 'createdAt', 'id'])
      .where(sql.ref('state'), '=', 'pending')
      .execute();
  },
};
