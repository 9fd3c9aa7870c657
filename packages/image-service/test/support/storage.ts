import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** A folder and a database of a service under test; they outlive the service, so that another can be started on them. */
export interface TestStorage {
  folder: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

/** A database on a PostgreSQL server, in which every storage is a schema: a database for each would take most of the time. */
interface PostgresDatabase {
  url: string;
  remove(): Promise<void>;
}

let database: Pick<PostgresDatabase, 'url'> | undefined;

/** From now on storages are schemas of this database instead of files. */
export function useDatabase(url: string): void {
  database = { url };
}

/** The tests of this suite have a database of their own on this PostgreSQL server. */
export function usePostgres(server: string): void {
  let own: PostgresDatabase;
  beforeAll(async () => {
    own = await createPostgresDatabase(server);
    database = own;
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
export async function createTestStorage(postgres = database): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-service-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  if (!postgres) return { folder, databaseUrl: `sqlite://${join(folder, 'service.sqlite')}`, remove };
  const schema = uniqueName();
  await administer(postgres.url, `create schema ${schema}`);
  const url = new URL(postgres.url);
  url.searchParams.set('options', `-csearch_path=${schema}`);
  return { folder, databaseUrl: url.href, remove };
}

const uniqueName = () => `darkroom_test_${randomBytes(6).toString('hex')}`;

/** Storage that is removed after the test. */
export async function testStorage(): Promise<TestStorage> {
  const made = await createTestStorage();
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
