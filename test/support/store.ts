import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import type { Clock } from '@darkroom/time';
import { KeyvSqlite } from '@keyv/sqlite';
import { onTestFinished } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openStore, type Store } from '../../src/storage/store.ts';

/**
 * A store in a folder of its own, what it logs, and its file as another program sees it. Gone when the test is
 * finished.
 */
export async function createStoreWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-store-'));
  const path = join(folder, 'data', 'bot.sqlite');
  const logged: Record<string, unknown>[] = [];
  const log = createLog({ destination: { write: (line) => void logged.push(JSON.parse(line)) } });
  const opened: Store[] = [];
  onTestFinished(async () => {
    for (const store of opened) await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A further connection to the same file, as after a restart. */
  async function reopen(options: { clock?: Clock } = {}): Promise<Store> {
    const store = await openStore({ url: `sqlite://${path}`, log, ...options });
    opened.push(store);
    return store;
  }

  /** Runs SQL on the file, past the store. */
  async function sql(statement: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    const adapter = new KeyvSqlite({
      uri: `sqlite://${path}`,
      table: 'unused',
      busyTimeout: WAIT_TIMEOUT_MS,
    });
    try {
      return await adapter.query(statement, values);
    } finally {
      await adapter.close();
    }
  }

  return { folder, path, url: `sqlite://${path}` as const, log, logged, store: await reopen(), reopen, sql };
}
