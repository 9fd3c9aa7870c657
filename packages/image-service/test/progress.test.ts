import { join } from 'node:path';
import { HOUR_MS, raceAbort, systemClock } from '@darkroom/time';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import type { FilePlace } from '../src/files/file-place.ts';
import { createFolder } from '../src/files/folder.ts';
import { controlledEngine, endlessEngine } from './support/engines.ts';
import { createServiceWorld, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

/** For so long a file may take to be written. */
const FILE_TIMEOUT_MS = 30_000;

const preview = (colour: string) =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: colour } })
    .webp()
    .toBuffer();

test('a preview is shown while its picture develops, and is gone afterwards', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  drawing.progress(30, await preview('red'));
  const task = await world.until(id, (now) => now.preview_url !== undefined);
  const shown = await fetch(task.preview_url ?? '');
  expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
    200,
    'image/webp',
    'no-store',
  ]);
  expect((await sharp(await shown.arrayBuffer()).metadata()).width).toBe(16);

  await drawing.finish();
  expect(await world.until(id)).not.toHaveProperty('preview_url');
  await expect.poll(async () => (await fetch(task.preview_url ?? '')).status).toBe(410);
});

test('neither the end of a task nor a stop waits for a preview that hangs', async () => {
  const engine = controlledEngine();
  const storage = await testStorage();
  const folder = createFolder(join(storage.folder, 'pictures'));
  let hangs = false;
  const place: FilePlace = {
    ...folder,
    async write(name, bytes, signal) {
      hangs = name.endsWith('.webp');
      return hangs ? new Promise(() => {}) : folder.write(name, bytes, signal);
    },
  };
  const world = await createServiceWorld({ engine, storage, place });
  await world.submitted({ prompt: 'a fox' });
  (await engine.next()).progress(30, await preview('red'));
  await expect.poll(() => hangs).toBe(true);
  const late = AbortSignal.timeout(FILE_TIMEOUT_MS - 10_000);
  await raceAbort(late, world.close());
});

test('progress is a whole percentage that never falls and never says that a running task is done', async () => {
  const engine = controlledEngine();
  let time = Date.now();
  const world = await serviceWorld({
    engine,
    clock: { ...systemClock, now: () => (time += 600) },
    // However often it is asked what time it is.
    limits: { leaseMs: 1e9, taskMs: 1e9 },
  });
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  const seen: number[] = [];
  for (const percent of [20.9, 10, 100]) {
    drawing.progress(percent);
    const now = await world.until(
      id,
      (task) => 'progress' in task && task.progress >= Math.min(99, Math.floor(percent)),
    );
    if ('progress' in now) seen.push(now.progress);
  }
  expect(seen).toEqual([20, 20, 99]);
});

test('what the machines of an engine tell of place and end is told, until another process begins anew', async () => {
  const storage = await testStorage();
  const endless = endlessEngine();
  const waiting: typeof endless = {
    ...endless,
    draw(drawing, options) {
      options.onProgress({ percent: 5, position: 3, endsInMs: 90_000 });
      return endless.draw(drawing, options);
    },
  };
  const before = await createServiceWorld({ storage, engine: waiting });
  const id = await before.submitted({ prompt: 'a fox' });
  const told = await before.until(id, (task) => task.status === 'processing' && task.queue_position === 3);
  expect(told.eta_seconds).toBeGreaterThan(60);
  expect(told.eta_seconds).toBeLessThanOrEqual(90);
  await before.close();
  const after = await serviceWorld({ storage, engine: endless });
  const anew = await after.until(id, (task) => task.status === 'processing', before.key);
  expect([anew.queue_position, anew.eta_seconds]).toEqual([undefined, undefined]);
});

test('an estimate is learned from the tasks before', async () => {
  const engine = controlledEngine();
  const now = Date.now();
  const world = await serviceWorld({
    engine,
    clock: { ...systemClock, now: () => now },
    limits: { slots: 1 },
  });
  const first = await world.submitted({ prompt: 'first' });
  const drawing = await engine.next();
  expect(await world.until(first, (task) => task.status === 'processing')).not.toHaveProperty('eta_seconds');
  await drawing.finish();
  await world.until(first);
  const second = await world.submitted({ prompt: 'second' });
  await engine.next();
  expect((await world.until(second, (task) => task.status === 'processing')).eta_seconds).toBe(1);
  const third = await world.submitted({ prompt: 'third' });
  expect(await world.until(third, (task) => task.status === 'pending')).toMatchObject({
    queue_position: 1,
    eta_seconds: 1,
  });
});

test('a small picture that took long does not foretell days for a large one', async () => {
  const engine = controlledEngine();
  let passed = 0;
  const world = await serviceWorld({
    engine,
    clock: { ...systemClock, now: () => Date.now() + passed },
    limits: { leaseMs: 600_000 },
  });
  const large = { prompt: 'large', width: 2048, height: 2048, steps: 50 };
  const drawnIn = async (id: string, ms: number) => {
    const drawing = await engine.next();
    const { eta_seconds } = await world.until(id, ({ status }) => status === 'processing');
    passed += ms;
    await drawing.finish();
    await world.until(id);
    return eta_seconds;
  };
  const small = { prompt: 'small', width: 64, height: 64, steps: 1 };
  expect(await drawnIn(await world.submitted(small), 100_000)).toBe(undefined);
  expect(await drawnIn(await world.submitted(large), 60_000)).toBeLessThanOrEqual(30 * 60);
  expect(await drawnIn(await world.submitted(large), 60_000)).toBeLessThan(180);
});

test('a picture that takes longer than expected has no estimate any more', async () => {
  const engine = controlledEngine();
  const began = Date.now();
  let passed = 0;
  const clock = { ...systemClock, now: () => began + passed };
  const world = await serviceWorld({ engine, clock, limits: { leaseMs: HOUR_MS } });
  const first = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  passed += 20_000;
  await drawing.finish();
  await world.until(first);
  const second = await world.submitted({ prompt: 'a fox' });
  await engine.next();
  const drawn = () => world.until(second, ({ status }) => status === 'processing');
  passed += 15_000;
  expect((await drawn()).eta_seconds).toBe(5);
  passed += 15_000;
  expect(await drawn()).not.toHaveProperty('eta_seconds');
});

test('an estimate is of the drawing alone, however long its end could not be written down', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const began = Date.now();
  let passed = 0;
  const world = await serviceWorld({
    storage,
    engine,
    clock: { ...systemClock, now: () => began + passed },
    limits: { leaseMs: HOUR_MS, taskMs: HOUR_MS },
  });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  await db.schema.alterTable('usage').renameTo('away').execute();
  await drawing.finish();
  await expect.poll(() => world.lines.join('')).toContain('the end of a task cannot be written down');
  passed += HOUR_MS / 2;
  await db.schema.alterTable('away').renameTo('usage').execute();
  await world.until(id);
  const next = await world.submitted({ prompt: 'a fox' });
  await engine.next();
  const { eta_seconds } = await world.until(next, ({ status }) => status === 'processing');
  expect(eta_seconds).toBeLessThan(60);
});

test('an estimate is learned from earlier processes, past drawings that cannot be read any more', async () => {
  const storage = await testStorage();
  const before = await createServiceWorld({ storage });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  for (const drawing of [undefined, '{"prompt":', '{"workflow":"default"}']) {
    const id = await before.submitted({ prompt: 'a fox' });
    await before.until(id);
    if (drawing) await db.updateTable('tasks').set({ drawing }).where('id', '=', id).execute();
  }
  await before.close();

  const now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const after = await serviceWorld({ storage, engine: endlessEngine(), clock });
  const id = await after.submitted({ prompt: 'a fox' });
  expect(await after.until(id, (task) => task.status === 'processing')).toHaveProperty('eta_seconds');
});
