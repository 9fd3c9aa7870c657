import { dirname, resolve } from 'node:path';
import { OperatorError } from '@darkroom/process';
import { isReadableUrl, type SqliteUrl, sqlitePath, UNREADABLE_URL } from '@darkroom/storage';
import { z } from 'zod';

/** Where the bot's rows are: an SQLite file, or a database of PostgreSQL. */
export type StoreUrl = SqliteUrl | PostgresUrl;
export type PostgresUrl = `postgres://${string}` | `postgresql://${string}`;

const EXPECTED = 'expected sqlite://path/to/file.sqlite or postgres://user:password@host/database';

export const storeUrl = z
  .templateLiteral([z.enum(['sqlite', 'postgres', 'postgresql']), '://', z.string().min(1)], EXPECTED)
  .refine(isReadableUrl, UNREADABLE_URL);

/** `text` as the URL of a store. Throws without repeating it: there may be a password in it. */
export function parseStoreUrl(text: string): StoreUrl {
  const read = storeUrl.safeParse(text);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new OperatorError(`That is not the URL of a store; ${issue?.message ?? EXPECTED}.`);
  }
  return read.data;
}

export const isSqlite = (url: StoreUrl): url is SqliteUrl => url.startsWith('sqlite://');

/** Where a process keeps what belongs to the store at `url`: the key of its vault, and pictures on their way. */
export const folderOf = (url: StoreUrl): string => (isSqlite(url) ? dirname(sqlitePath(url)) : 'data');

/** What the store at `url` is called where people read it: without user and password. */
export function nameOf(url: StoreUrl): string {
  if (isSqlite(url)) return resolve(sqlitePath(url));
  if (!URL.canParse(url)) return 'at STORE_URL';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
