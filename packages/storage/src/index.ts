export { backUpSqlite, copySqlite, findFault, restoreSqlite, writeNewFile } from './back-up-sqlite.ts';
export { isDamaged, mendOfDamage } from './damaged.ts';
export { DatabaseUnavailable } from './database-unavailable.ts';
export { flushFolder, flushName } from './flush.ts';
export { isMissing } from './is-missing.ts';
export { localPath } from './local-path.ts';
export { openToOthers } from './open-to-others.ts';
export { createOutageLog } from './outage-log.ts';
export { outwaitLock } from './outwait-lock.ts';
export { isReadableUrl, UNREADABLE_URL } from './readable-url.ts';
export { renameFile } from './rename-file.ts';
export { resealed, resealStale, type StoredSecret, sealedState } from './sealed-text.ts';
export {
  isBusy,
  isDiskFailure,
  isDiskFull,
  openSqlite,
  type Sqlite,
  type SqliteUrl,
  sqlitePath,
} from './sqlite.ts';
export { awaitAnswer, UNREACHABLE } from './unreachable.ts';
export { createVault, keyFileIn, openVault, type Vault, type VaultKeys } from './vault.ts';
export { proveVault } from './vault-proof.ts';
