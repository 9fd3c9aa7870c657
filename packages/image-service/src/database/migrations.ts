import { type ColumnDefinitionBuilder, type Kysely, type Migration, sql } from 'kysely';

/** The databases differ in how a column is incremented automatically. */
export type Dialect = 'sqlite' | 'postgres';

/** All migrations, in the order of their names. A released one is never edited. */
export function migrations(dialect: Dialect): Record<string, Migration> {
  const serial = dialect === 'sqlite' ? 'integer' : 'serial';
  const counted = (column: ColumnDefinitionBuilder) =>
    dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey();
  return {
    '0001-accounts': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('accounts')
          .addColumn('id', serial, counted)
          .addColumn('username', 'text', (column) => column.notNull().unique())
          .addColumn('createdAt', 'bigint', (column) => column.notNull())
          .addColumn('disabledAt', 'bigint')
          .execute();
        await db.schema
          .createTable('loginTokens')
          .addColumn('hash', 'text', (column) => column.primaryKey())
          .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
          .addColumn('createdAt', 'bigint', (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('keys')
          .addColumn('id', serial, counted)
          .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
          .addColumn('hash', 'text', (column) => column.notNull().unique())
          .addColumn('sealed', 'text', (column) => column.notNull())
          .addColumn('tail', 'text', (column) => column.notNull())
          .addColumn('createdAt', 'bigint', (column) => column.notNull())
          .addColumn('lastUsedAt', 'bigint')
          .addColumn('revokedAt', 'bigint')
          .addColumn('maxRunning', 'integer')
          .addColumn('maxWaiting', 'integer')
          .addColumn('maxPerMinute', 'integer')
          .execute();
        await db.schema.createIndex('keysOfAccount').on('keys').column('accountId').execute();
      },
    },

    '0002-ledger': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('grants')
          .addColumn('id', serial, counted)
          .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
          .addColumn('createdAt', 'bigint', (column) => column.notNull())
          .addColumn('expiresAt', 'bigint')
          .addColumn('note', 'text', (column) => column.notNull())
          .addColumn('remaining', 'bigint', (column) => column.notNull())
          .execute();
        await db.schema.createIndex('grantsOfAccount').on('grants').column('accountId').execute();
        await db.schema
          .createTable('entries')
          .addColumn('id', serial, counted)
          .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
          .addColumn('grantId', 'integer', (column) => column.notNull().references('grants.id'))
          .addColumn('taskId', 'text')
          .addColumn('kind', 'text', (column) => column.notNull())
          .addColumn('amount', 'bigint', (column) => column.notNull())
          .addColumn('createdAt', 'bigint', (column) => column.notNull())
          .addUniqueConstraint('onceForEachTask', ['taskId', 'kind', 'grantId'])
          .execute();
        await db.schema.createIndex('entriesOfGrant').on('entries').column('grantId').execute();
      },
    },

    '0003-tasks': {
      async up(db: Kysely<unknown>) {
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
        await db.schema
          .createIndex('queue')
          .on('tasks')
          .columns(['state', 'turn', 'createdAt', 'id'])
          .execute();
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
        await db.schema
          .createIndex('filesByExpiry')
          .on('files')
          .columns(['removedAt', 'expiresAt'])
          .execute();
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
    },

    '0004-key-holders': {
      async up(db: Kysely<{ keyHolders: { version: number } }>) {
        await db.schema
          .createTable('keyHolders')
          .addColumn('version', 'bigint', (column) => column.notNull())
          .execute();
        await db.insertInto('keyHolders').values({ version: 0 }).execute();
      },
    },

    '0005-claims': {
      async up(db: Kysely<unknown>) {
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
    },
  };
}
