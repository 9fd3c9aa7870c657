import type { Migration } from './migration.ts';

export const tasks: Migration = {
  name: '0003-tasks',

  async up(db) {
    await db.schema
      .createTable('tasks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('keyId', 'integer', (column) => column.notNull().references('keys.id'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('workflow', 'text', (column) => column.notNull())
      .addColumn('seed', 'bigint', (column) => column.notNull())
      .addColumn('cost', 'bigint', (column) => column.notNull())
      .addColumn('turn', 'bigint', (column) => column.notNull())
      .addColumn('progress', 'integer', (column) => column.notNull())
      .addColumn('expectedMs', 'integer')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('startedAt', 'bigint')
      .addColumn('finishedAt', 'bigint')
      .addColumn('deadlineAt', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('leaseOwner', 'text')
      .addColumn('leaseUntil', 'bigint')
      .addColumn('picture', 'text')
      .addColumn('preview', 'text')
      .addColumn('error', 'text')
      .addColumn('errorCode', 'text')
      // Last, because SQLite reads all overflow pages of a 100 kB graph to reach a column behind it.
      .addColumn('drawing', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('queue').on('tasks').columns(['state', 'turn', 'createdAt', 'id']).execute();
    await db.schema
      .createIndex('queueOfAccount')
      .on('tasks')
      .columns(['accountId', 'state', 'turn'])
      .execute();
    await db.schema.createIndex('queueOfKey').on('tasks').columns(['keyId', 'state']).execute();
    await db.schema
      .createIndex('tasksOfAccount')
      .on('tasks')
      .columns(['accountId', 'createdAt', 'id'])
      .execute();
    await db.schema.createIndex('tasksByEnd').on('tasks').column('finishedAt').execute();
    await db.schema
      .createTable('files')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('taskId', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('contentType', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .addColumn('removedAt', 'bigint')
      .execute();
    await db.schema.createIndex('filesOfTask').on('files').column('taskId').execute();
    await db.schema.createIndex('filesByExpiry').on('files').columns(['removedAt', 'expiresAt']).execute();
    await db.schema
      .createTable('replays')
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('idempotencyKey', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('onceForEachKey', ['accountId', 'idempotencyKey'])
      .execute();
    await db.schema.createIndex('replaysByAge').on('replays').column('createdAt').execute();
  },
};
