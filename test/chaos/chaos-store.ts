import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PostgresUrl, StoreUrl } from '../../src/storage/store-url.ts';

/** The store of a run. */
interface ChaosStore {
  url: StoreUrl;
  /** Of its file; undefined where it is none. */
  path: string | undefined;
  remove(): Promise<void>;
}

/** A file for one process; for several a schema of its own in the database of `TEST_POSTGRES_URL`. */
export async function openChaosStore(folder: string, processes: number): Promise<ChaosStore> {
  if (processes === 1) {
    const path = join(folder, 'bot.sqlite');
    return { path, url: `sqlite://${path}`, remove: async () => undefined };
  }
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('several processes share a PostgreSQL: name one by TEST_POSTGRES_URL');
  const name = `darkroom_chaos_${randomBytes(6).toString('hex')}`;
  await run(server, `create schema ${name}`);
  const url = new URL(server);
  url.searchParams.set('options', `-csearch_path=${name}`);
  return {
    path: undefined,
    // The same scheme as before.
    url: url.href as PostgresUrl,
    remove: () => run(server, `drop schema ${name} cascade`),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
