import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** A folder and a database of a service under test; they outlive the service, so that another can be started on them. */
export interface TestStorage {
  folder: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

let server: string | undefined;

/** From now on databases are created on this PostgreSQL server instead of in files. Holds for one test file. */
export function usePostgres(url: string): void {
  server = url;
}

export async function createTestStorage(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-service-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  if (server === undefined) {
    return { folder, databaseUrl: `sqlite://${join(folder, 'service.sqlite')}`, remove: removeFolder };
  }
  const admin = server;
  const name = `darkroom_test_${randomBytes(6).toString('hex')}`;
  await administer(admin, `create database ${name}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return {
    folder,
    databaseUrl: url.href,
    async remove() {
      await removeFolder();
      await administer(admin, `drop database ${name} with (force)`);
    },
  };
}

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
