import { join } from 'node:path';
import { openSqlite, sqlitePath } from '@darkroom/storage';
import { silentLog, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../src/engines/engine.ts';
import { createHordeEngine } from '../src/engines/horde/engine.ts';
import type { FilePlace } from '../src/files/file-place.ts';
import { createFolder } from '../src/files/folder.ts';
import { controlledEngine } from './support/engines.ts';
import { createFakeHorde, HORDE_KEY } from './support/fake-horde.ts';
import { serviceWorld } from './support/service.ts';
import { type TestStorage, testStorage } from './support/storage.ts';

/** Locks the SQLite file of a service; returns how to unlock it. */
function lock({ databaseUrl }: TestStorage): () => void {
  const sqlite = openSqlite(sqlitePath(databaseUrl) ?? '', { timeoutMs: WAIT_TIMEOUT_MS });
  onTestFinished(() => sqlite.close());
  sqlite.exec('begin immediate');
  return () => sqlite.exec('commit');
}

test('while the database is locked, a run stops when its lease ends, and its task is drawn again without having spent an attempt', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine, limits: { leaseMs: 2_000, attempts: 1 } });
  const id = await world.submitted({ prompt: 'a fox' });
  for (let time = 0; time < 2; time++) {
    const drawing = await engine.next();
    const unlock = lock(storage);
    await until(() => drawing.signal.aborted, 'the end of the lease');
    unlock();
  }
  await (await engine.next()).finish();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect(await world.balance()).toBe(99);
});

test('what volunteers draw is not taken back where the lease ends, but followed', async () => {
  const horde = await createFakeHorde();
  const clock = createFastClock({ factor: 50 });
  const engine = createHordeEngine({ key: HORDE_KEY, url: horde.url, clock, log: silentLog() });
  const signals: AbortSignal[] = [];
  const draw: Engine['draw'] = (drawing, options) => {
    signals.push(options.signal);
    return engine.draw(drawing, options);
  };
  const storage = await testStorage();
  const limits = { leaseMs: 2_000, attempts: 1 };
  const world = await serviceWorld({ storage, engine: { ...engine, draw }, limits });
  const id = await world.submitted({ prompt: 'a fox' });
  const request = await horde.request();
  horde.take(request);
  await world.until(id, (task) => task.status === 'processing' && task.progress > 0);
  const unlock = lock(storage);
  await until(() => signals[0]?.aborted, 'the end of the lease');
  unlock();
  await until(() => signals.length === 2, 'another run');
  await horde.finish(request);
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect([horde.requests.length, request.cancelled]).toEqual([1, false]);
});

test('while the database is locked, a finished picture is kept, and written down afterwards', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine, limits: { leaseMs: 3_000, attempts: 1 } });
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  const unlock = lock(storage);
  await drawing.finish();
  await until(() => world.lines.some((line) => line.includes('cannot be reached')), 'the outage');
  unlock();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect(engine.begun).toHaveLength(1);
  expect(await world.balance()).toBe(99);
});

test('a finished picture that the disk has no room for is kept until it has', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const folder = createFolder(join(storage.folder, 'pictures'));
  let full = false;
  let refused = 0;
  const place: FilePlace = {
    ...folder,
    async write(...call) {
      if (!full) return folder.write(...call);
      refused += 1;
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
  };
  const world = await serviceWorld({ storage, engine, place });
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  full = true;
  await drawing.finish();
  await until(() => refused > 1, 'a second attempt');
  full = false;
  const task = await world.until(id);
  const url = task.status === 'completed' ? task.result.image_url : '';
  expect((await fetch(url)).status).toBe(200);
  expect(engine.begun).toHaveLength(1);
  expect(await world.balance()).toBe(99);
});
