import { randomBytes } from 'node:crypto';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { PostgresUrl } from '../../src/storage/store-url.ts';

/** A session on the database behind `url`. Ends with the test. */
export async function postgresSession(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: WAIT_TIMEOUT_MS });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A schema of its own in the database behind `url`, as the URL of a store. Dropped with the test. */
export async function postgresSchema(url: string): Promise<PostgresUrl> {
  const name = `darkroom_test_${randomBytes(6).toString('hex')}`;
  const admin = await postgresSession(url);
  await admin.query(`create schema ${name}`);
  // Before the session ends: what is added last runs first.
  onTestFinished(async () => void (await admin.query(`drop schema ${name} cascade`)));
  const schema = new URL(url);
  schema.searchParams.set('options', `-csearch_path=${name}`);
  schema.searchParams.set('application_name', name);
  return schema.href as PostgresUrl;
}
