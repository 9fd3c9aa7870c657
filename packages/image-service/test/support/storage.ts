import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';

/**
 * A folder and a database of a service under test; they outlive the service, so that another can be started on them.
 */
export interface TestStorage {
  folder: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

/**
 * A database on a PostgreSQL server, in which every storage is a schema: a database for each would take most of the
 * time.
 */
interface PostgresDatabase {
  url: string;
  remove(): Promise<void>;
}

interface Lender {
  url: string;
  /** A schema as a service has it after its first start. */
  pattern?: Promise<string>;
  /** Schemas like it that nobody uses. */
  free: string[];
}

let database: Lender | undefined;

/** From now on storages are schemas of this database instead of files. */
export function useDatabase(url: string): void {
  if (database?.url !== url) database = { url, free: [] };
}

/** The tests of this suite have a database of their own on this PostgreSQL server. */
export function usePostgres(server: string): void {
  let own: PostgresDatabase;
  beforeAll(async () => {
    own = await createPostgresDatabase(server);
    useDatabase(own.url);
  });
  afterAll(async () => {
    database = undefined;
    await own.remove();
  });
}

export async function createPostgresDatabase(server: string): Promise<PostgresDatabase> {
  const name = uniqueName();
  await administer(server, `create database ${name}`);
  // A killed session loses nothing by it, only a server that is killed: then no commit waits for the disk.
  await administer(server, `alter database ${name} set synchronous_commit = off`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => administer(server, `drop database ${name} with (force)`) };
}

/** In a file unless there is a PostgreSQL, with which it goes. */
export async function createTestStorage(
  postgres: Pick<PostgresDatabase, 'url'> | undefined = database,
): Promise<TestStorage> {
  const { folder, remove } = await createFolder();
  const databaseUrl = postgres ? inSchema(postgres.url, await createSchema(postgres.url)) : sqliteUrl(folder);
  return { folder, databaseUrl, remove };
}

/**
 * Storage in which a service finds its tables: to create them takes longer than most tests. Whoever has it removes it
 * once nothing uses it any more; another gets its schema then.
 */
export async function lendTestStorage(): Promise<TestStorage> {
  const { folder, remove } = await createFolder();
  if (!database) {
    const databaseUrl = sqliteUrl(folder);
    sqliteFile ??= createSqliteFile();
    await writeFile(join(folder, SQLITE_NAME), await sqliteFile, { mode: 0o600 });
    return { folder, databaseUrl, remove };
  }
  const { url, free } = database;
  database.pattern ??= createPattern(url);
  const pattern = await database.pattern;
  const schema = free.pop() ?? (await createSchema(url));
  let isLent = true;
  return {
    folder,
    databaseUrl: inSchema(url, schema),
    async remove() {
      // A world may be closed twice, and two others must not get one schema.
      if (!isLent) return;
      isLent = false;
      await remove();
      await administer(url, likeNew(schema, pattern));
      free.push(schema);
    },
  };
}

/** A SQLite database as a service has it after its first start. */
let sqliteFile: Promise<Buffer> | undefined;

async function createSqliteFile(): Promise<Buffer> {
  const { folder, databaseUrl, remove } = await createTestStorage();
  await (await openDatabase(databaseUrl)).destroy();
  const file = await readFile(join(folder, SQLITE_NAME));
  await remove();
  return file;
}

/** A PostgreSQL schema like that, which stays so. */
async function createPattern(url: string): Promise<string> {
  const pattern = await createSchema(url);
  await (await openDatabase(inSchema(url, pattern))).destroy();
  return pattern;
}

/** Makes the tables of `schema` hold what those of `pattern` do; later tables refer to earlier ones. */
const likeNew = (schema: string, pattern: string) => `do $$
declare
  tables text[] := array(
    select relname from pg_class where relnamespace = '${pattern}'::regnamespace and relkind = 'r' order by oid);
begin
  for at in reverse array_length(tables, 1)..1 loop
    execute format('delete from ${schema}.%I', tables[at]);
  end loop;
  for at in 1..array_length(tables, 1) loop
    execute format('insert into ${schema}.%1$I overriding system value select * from ${pattern}.%1$I', tables[at]);
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where schemaname = '${schema}';
end $$`;

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-service-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

const SQLITE_NAME = 'service.sqlite';
const sqliteUrl = (folder: string) => `sqlite://${join(folder, SQLITE_NAME)}`;

async function createSchema(url: string): Promise<string> {
  const schema = uniqueName();
  await administer(url, `create schema ${schema}`);
  return schema;
}

function inSchema(databaseUrl: string, schema: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-csearch_path=${schema}`);
  return url.href;
}

const uniqueName = () => `darkroom_test_${randomBytes(6).toString('hex')}`;

/** Storage that is removed after the test; with the tables of a service where `lend` makes it. */
export async function testStorage(make = createTestStorage): Promise<TestStorage> {
  const made = await make();
  onTestFinished(made.remove);
  return made;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: WAIT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
