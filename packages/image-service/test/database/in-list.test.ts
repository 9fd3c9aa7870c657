import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createVault, sqlitePath } from '@darkroom/storage';
import { captureLog } from '@darkroom/testing';
import { DAY_MS, systemClock } from '@darkroom/time';
import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { inList } from '../../src/database/in-list.ts';
import { connectSqlite } from '../../src/database/sqlite.ts';
import type { Tables } from '../../src/database/tables.ts';
import { boundPlace } from '../../src/files/bounded-place.ts';
import { createFiles } from '../../src/files/files.ts';
import { createFolder } from '../../src/files/folder.ts';
import { createHousekeeping } from '../../src/housekeeping.ts';
import { createUploads } from '../../src/inputs/uploads.ts';
import { createAllowances } from '../../src/ledger/allowances.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createWebhookQueue } from '../../src/webhooks/webhook-queue.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

test('a list has its values, and the length of a power of two', () => {
  expect([inList([]), inList([7]), inList([1, 2, 3])]).toEqual([[], [7], [1, 2, 3, 3]]);
  expect(inList(Array.from({ length: 500 }, (_, at) => at))).toHaveLength(512);
});

test('whatever number is swept, or left out of the webhooks that are due, the statements are the same', async () => {
  const storage = await testStorage();
  const { folder, databaseUrl } = storage;
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  await world.submitted({ prompt: 'a fox' });
  const statements = new Set<string>();
  const db = new Kysely<Tables>({
    dialect: await connectSqlite(sqlitePath(databaseUrl) ?? '', { lockTimeoutMs: 5_000 }),
    log: ({ query }) => void statements.add(query.sql),
  });
  onTestFinished(() => db.destroy());
  const clock = { ...systemClock, now: () => Date.now() + 31 * DAY_MS };
  const place = boundPlace(createFolder(join(folder, 'pictures')));
  const parts = { db, place, clock, limits: SERVICE_LIMITS, vault: createVault(['5'.repeat(64)]) };
  const [files, uploads] = [createFiles(parts), createUploads(parts)];
  const [ledger, allowances] = [createLedger(parts), createAllowances(parts)];
  const { sweep } = createHousekeeping({
    ...parts,
    files,
    uploads,
    ledger,
    allowances,
    log: captureLog().log,
  });
  const { due } = createWebhookQueue(parts);
  const task = await db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();

  async function statementsFor(count: number): Promise<ReadonlySet<string>> {
    const old = Array.from({ length: count }, () => ({ ...task, id: randomUUID(), finishedAt: 1 }));
    for (const row of old) await db.insertInto('tasks').values(row).execute();
    statements.clear();
    await sweep();
    const numbers = Array.from({ length: count }, (_, at) => at);
    await due({ accounts: numbers, receivers: numbers.map(String) });
    return new Set(statements);
  }
  const first = await statementsFor(5);
  for (const count of [6, 7, 8]) expect(await statementsFor(count)).toEqual(first);
  expect(await db.selectFrom('tasks').select('id').execute()).toEqual([{ id: task.id }]);
});
