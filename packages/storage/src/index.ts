export { backUpSqlite, restoreSqlite, writeNewFile } from './back-up-sqlite.ts';
export { openToOthers } from './open-to-others.ts';
export {
  connectPostgres,
  DatabaseUnavailable,
  type Postgres,
  type PostgresConnection,
  type PostgresOptions,
} from './postgres.ts';
export { isBusy, openSqlite, type Sqlite, type SqliteUrl, sqlitePath } from './sqlite.ts';
export { createVault, openVault, type Vault, type VaultKeys } from './vault.ts';
