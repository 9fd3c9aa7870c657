import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const claims: Migration = {
  name: '0005-claims',

  async up(db) {
    await db.schema
      .createIndex('disabledAccounts')
      .on('accounts')
      .column('id')
      .where(sql.ref('disabledAt'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('queueOfWorkflow')
      .on('tasks')
      .columns(['workflow', 'turn', 'createdAt', 'id'])
      .where(sql.ref('state'), '=', 'pending')
      .execute();
  },
};
