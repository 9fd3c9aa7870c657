import { join } from 'node:path';
import { silentLog, temporaryFolder } from '@darkroom/testing';
import { describe, onTestFinished } from 'vitest';
import { openStore, type Store } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { postgresSchema } from './postgres.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

/** Runs `tests` on each database that a store can be in: SQLite, and PostgreSQL where `TEST_POSTGRES_URL` is set. */
export function describeEachStore(tests: (open: () => Promise<Store>) => void): void {
  describe('in SQLite', () => tests(() => openEmpty(newFile)));
  describe.skipIf(server === '')('in PostgreSQL (TEST_POSTGRES_URL)', () => {
    tests(() => openEmpty(() => postgresSchema(server)));
  });
}

/** The address of one that is not there yet. */
export async function newFile(): Promise<StoreUrl> {
  const folder = await temporaryFolder();
  return `sqlite://${join(folder, 'bot.sqlite')}`;
}

/** An empty store, which is closed when the test is finished. */
async function openEmpty(newUrl: () => Promise<StoreUrl>): Promise<Store> {
  const store = await openStore({ url: await newUrl(), log: silentLog() });
  onTestFinished(store.close);
  return store;
}
