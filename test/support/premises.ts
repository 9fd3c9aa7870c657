import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** What a service outlives itself in: a folder and a database that nobody else uses. */
export interface Premises {
  folder: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

let server: string | undefined;

/** From here on databases are made on this PostgreSQL server, instead of files. Holds for one test file. */
export function usePostgres(url: string): void {
  server = url;
}

export async function createPremises(): Promise<Premises> {
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

/** Premises that are removed after the test. */
export async function premises(): Promise<Premises> {
  const made = await createPremises();
  onTestFinished(made.remove);
  return made;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
