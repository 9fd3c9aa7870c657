import { type SqliteUrl, sqlitePath } from '@darkroom/storage';

/** Where the bot's rows are: an SQLite file, or a database of PostgreSQL. */
export type StoreUrl = SqliteUrl | PostgresUrl;
export type PostgresUrl = `postgres://${string}` | `postgresql://${string}`;

export const isSqlite = (url: StoreUrl): url is SqliteUrl => url.startsWith('sqlite://');

/** What the store at `url` is called where people read it: without user and password. */
export function nameOf(url: StoreUrl): string {
  if (isSqlite(url)) return sqlitePath(url);
  if (!URL.canParse(url)) return 'at STORE_URL';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
