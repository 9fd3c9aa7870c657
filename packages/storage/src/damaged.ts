import Database from 'better-sqlite3';

/** Whether it is the error of a file that is damaged, or is no SQLite file at all. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** What mends it, for the operator, whose `setting` names the file. */
export const mendOfDamage = (setting: string): string =>
  `Where ${setting} is right, the file is damaged: move it out of the way with its -wal, and restore the last backup.`;
