import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const usage: Migration = {
  name: '0009-usage',

  async up(db) {
    await db.schema
      .createTable('usage')
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('completed', 'integer', (column) => column.notNull())
      .addColumn('failed', 'integer', (column) => column.notNull())
      .addColumn('cost', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('onceForEachDay', ['accountId', 'day'])
      .execute();
    await db.schema.createIndex('entriesOfAccount').on('entries').columns(['accountId', 'id']).execute();
    await sql`
      insert into "usage" ("accountId", "day", "completed", "failed", "cost")
      select "accountId", "finishedAt" / 86400000,
        sum(case when "state" = 'completed' then 1 else 0 end),
        sum(case when "state" = 'failed' then 1 else 0 end),
        sum(case when "state" = 'completed' then "cost" else 0 end)
      from "tasks" where "finishedAt" is not null
      group by "accountId", "finishedAt" / 86400000`.execute(db);
  },
};
