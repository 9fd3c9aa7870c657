import type { CreateTableBuilder } from 'kysely';
import type { Dialect } from './migration.ts';

/** Adds an `id` to a new table that the database counts up. */
export const addId =
  (dialect: Dialect) =>
  <Table extends string, Column extends string>(table: CreateTableBuilder<Table, Column>) =>
    dialect === 'sqlite'
      ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : table.addColumn('id', 'serial', (column) => column.primaryKey());
