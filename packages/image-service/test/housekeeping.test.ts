import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { captureLog, createDeferred } from '@darkroom/testing';
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '@darkroom/time';
import type { KyselyPlugin } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../src/accounts/accounts.ts';
import { openDatabase } from '../src/database/database.ts';
import { boundPlace } from '../src/files/bounded-place.ts';
import type { FilePlace } from '../src/files/file-place.ts';
import { createFiles } from '../src/files/files.ts';
import { createFolder } from '../src/files/folder.ts';
import { createHousekeeping } from '../src/housekeeping.ts';
import { createUploads } from '../src/inputs/uploads.ts';
import { createAllowances } from '../src/ledger/allowances.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../src/limits.ts';
import { editingEngine } from './support/engines.ts';
import { problemOf, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

const picturesIn = async (folder: string) =>
  (await readdir(join(folder, 'pictures'))).filter((name) => !/^(proof|probe)-/.test(name));

test('a picture can be fetched for its time, also where another is made of it; then it is deleted, and its task stays completed', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const world = await serviceWorld({ clock, engine: editingEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  const task = await world.until(id);
  await world.until(await world.submitted({ operation: 'edit', image: `task:${id}`, prompt: 'in the snow' }));
  const url = task.status === 'completed' ? task.result.image_url : '';
  expect(Date.parse(task.expires_at ?? '') - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
  ahead = 6.9 * DAY_MS;
  expect((await fetch(url)).status).toBe(200);

  ahead = 7 * DAY_MS + HOUR_MS;
  const gone = await fetch(url);
  expect([gone.status, (await problemOf(gone)).code]).toEqual([410, 'file_expired']);
  await world.service.sweep();
  expect(await picturesIn(world.folder)).toEqual([]);
  expect((await fetch(url)).status).toBe(410);
  expect((await world.until(id)).status).toBe('completed');

  ahead = 31 * DAY_MS;
  await world.service.sweep();
  expect((await world.status(id)).status).toBe(404);
  expect((await fetch(url)).status).toBe(404);
  expect(await world.balance()).toBe(98);
});

test('a revoked key is deleted after a month, once no task of it is left', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const world = await serviceWorld({ clock, limits: { pictureMs: 60 * DAY_MS } });
  const { keys, sweep } = world.service;
  const [used, unused] = [await keys.generate(world.id), await keys.generate(world.id)];
  await world.until(await world.submitted({ prompt: 'a fox' }, used), undefined, used);
  for (const key of [used, unused]) await keys.revoke(world.id, key);
  const known = async () => {
    await sweep();
    return [await keys.had(world.id, used), await keys.had(world.id, unused)];
  };
  expect(await known()).toEqual([true, true]);
  ahead = 31 * DAY_MS;
  expect(await known()).toEqual([true, false]);
  ahead = 61 * DAY_MS;
  expect(await known()).toEqual([false, false]);
  expect(await keys.had(world.id, world.key)).toBe(true);
});

test('files that cannot be removed hold up nothing else, make one line, and are removed as soon as that can be done', async () => {
  let ahead = 0;
  const world = await serviceWorld({ clock: { ...systemClock, now: () => Date.now() + ahead } });
  const pictureOf = async (id: string) => {
    const task = await world.until(id);
    return join(world.folder, 'pictures', task.status === 'completed' ? basename(task.result.image_url) : '');
  };
  const [stuck, another, other] = [
    await world.submitted({ prompt: 'a stuck fox' }),
    await world.submitted({ prompt: 'another stuck fox' }),
    await world.submitted({ prompt: 'another fox' }),
  ];
  const pictures = [await pictureOf(stuck), await pictureOf(another)];
  await world.until(other);
  for (const picture of pictures) {
    await rm(picture);
    await mkdir(picture);
  }
  ahead = 7 * DAY_MS + 60_000;
  await world.service.sweep();
  const lines = world.lines.filter((line) => line.includes('could not be removed'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ files: 2 });

  ahead = 31 * DAY_MS;
  await world.service.sweep();
  expect((await picturesIn(world.folder)).sort()).toEqual(pictures.map((path) => basename(path)).sort());
  expect((await world.status(other)).status).toBe(404);
  expect((await world.status(stuck)).status).toBe(200);

  for (const picture of pictures) await rm(picture, { recursive: true });
  await world.service.sweep();
  expect((await world.status(stuck)).status).toBe(404);
});

test('500 files that can never be removed hold up those behind them no longer than until the next sweep', async () => {
  let ahead = 0;
  const storage = await testStorage();
  const world = await serviceWorld({ storage, clock: { ...systemClock, now: () => Date.now() + ahead } });
  await world.until(await world.submitted({ prompt: 'a fox' }));
  const stuck = Array.from({ length: 500 }, (_, at) => `${String(at).padStart(32, '0')}.png`);
  await Promise.all(stuck.map((name) => mkdir(join(world.folder, 'pictures', name))));
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const row = { taskId: 'any', contentType: 'image/png', createdAt: 0, expiresAt: 1, removedAt: null };
  await db
    .insertInto('files')
    .values(stuck.map((name) => ({ name, kind: 'picture' as const, ...row })))
    .execute();
  ahead = 8 * DAY_MS;
  for (let minute = 0; minute < 2; minute++) await world.service.sweep();
  expect((await picturesIn(world.folder)).sort()).toEqual(stuck);
});

test('idempotency records that have expired while no service ran are deleted some hundred at a time', async () => {
  const storage = await testStorage();
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const clock = systemClock;
  const account = await createAccounts({ db, clock }).add('ada');
  const record = { accountId: account.id, digest: 'a digest', answer: '{}' };
  await db
    .insertInto('replays')
    .values(Array.from({ length: 1_200 }, (_, at) => ({ ...record, idempotencyKey: `${at}`, createdAt: at })))
    .execute();
  const deleted: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      deleted.push(Number(result.numAffectedRows ?? 0));
      return result;
    },
  };
  const place = boundPlace(createFolder(join(storage.folder, 'pictures')));
  const parts = { db: db.withPlugin(counting), place, clock, limits: SERVICE_LIMITS };
  await createHousekeeping({
    ...parts,
    files: createFiles(parts),
    uploads: createUploads(parts),
    ledger: createLedger(parts),
    allowances: createAllowances(parts),
    log: captureLog().log,
  }).sweep();
  expect(deleted.reduce((sum, rows) => sum + rows)).toBe(1_200);
  expect(Math.max(...deleted)).toBeLessThanOrEqual(501);
});

/** What a place was asked to remove; it answers once `go` is resolved, or never. */
const asking = () => ({ asked: [] as string[], go: createDeferred<void>() });

/** What is done every minute where so many pictures have expired, of which their place removes only some `slowly`. */
async function manyExpired(count = 40, slowly = (_name: string) => true) {
  const storage = await testStorage();
  const folder = createFolder(join(storage.folder, 'pictures'));
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const row = { taskId: 'any', contentType: 'image/png', createdAt: 0, expiresAt: 1, removedAt: null };
  const names = Array.from({ length: count }, (_, at) => `${String(at).padStart(32, '0')}.png`);
  await db
    .insertInto('files')
    .values(names.map((name) => ({ name, kind: 'picture' as const, ...row })))
    .execute();
  const placeOf = ({ asked, go }: ReturnType<typeof asking>): FilePlace => ({
    ...folder,
    async remove(name) {
      asked.push(name);
      if (slowly(name)) await go.promise;
    },
  });
  const removing = asking();
  const { log, lines } = captureLog();
  const clock = systemClock;
  const allowances = createAllowances({ db, clock });
  const housekeepingWhere = (timeoutMs?: number, place = placeOf(removing)) => {
    const parts = { db, place: boundPlace(place, timeoutMs), clock, limits: SERVICE_LIMITS };
    const [files, uploads] = [createFiles(parts), createUploads(parts)];
    return createHousekeeping({ ...parts, files, uploads, ledger: createLedger(parts), allowances, log });
  };
  return {
    db,
    names,
    removing,
    lines,
    allowances,
    accounts: createAccounts({ db, clock }),
    placeOf,
    housekeepingWhere,
  };
}

test('a service that stops removes no more than the files that it is at', async () => {
  const { removing, lines, housekeepingWhere } = await manyExpired();
  const housekeeping = housekeepingWhere();
  housekeeping.start();
  await expect.poll(() => removing.asked).toHaveLength(16);
  const closed = housekeeping.close();
  removing.go.resolve();
  await closed;
  expect([removing.asked.length, lines]).toEqual([16, []]);
});

test('a place that does not answer is not asked for every file that is to be removed', async () => {
  const { removing, lines, housekeepingWhere } = await manyExpired();
  await housekeepingWhere(50).sweep();
  expect(removing.asked).toHaveLength(16);
  expect(lines.map((line) => JSON.parse(line).files)).toEqual([40]);
});

test('where a place does not answer for some files, those behind them wait for the next time', async () => {
  const { names, removing, housekeepingWhere } = await manyExpired(600, (name) => name.endsWith('7.png'));
  await housekeepingWhere(50).sweep();
  const tried = new Set(removing.asked);
  expect(names.slice(500).filter((name) => tried.has(name))).toEqual([]);
});

test('an upload that has expired is removed while files are being removed', async () => {
  const { db, removing, accounts, housekeepingWhere } = await manyExpired();
  const { id: accountId } = await accounts.add('ada');
  const upload = { id: 'a-fox', accountId, sha256: '', width: 1, height: 1, bytes: 1, uses: 1 };
  await db
    .insertInto('uploads')
    .values({ ...upload, createdAt: 0, writtenAt: 0, expiresAt: 1 })
    .execute();
  const housekeeping = housekeepingWhere(HOUR_MS);
  housekeeping.start();
  await expect.poll(() => removing.asked).toContain('upload-a-fox.png');
  removing.go.resolve();
  await housekeeping.close();
});

test('an allowance that is due is given while files are being removed', async () => {
  const { db, removing, allowances, accounts, housekeepingWhere } = await manyExpired();
  const { id } = await accounts.add('ada');
  await allowances.add({ accountId: id, amount: 1_000, cap: 1_000, every: 'hour', note: 'any' });
  await db.updateTable('allowances').set({ period: 0 }).execute();
  await db.updateTable('grants').set({ remaining: 0 }).execute();
  const housekeeping = housekeepingWhere(HOUR_MS);
  housekeeping.start();
  const given = () => db.selectFrom('grants').select('remaining').where('remaining', '>', 0).execute();
  await expect.poll(given).toEqual([{ remaining: 1_000 }]);
  await expect.poll(() => removing.asked).toHaveLength(16);
  removing.go.resolve();
  await housekeeping.close();
});

test('what one process has removed another does not remove again', async () => {
  const { names, removing, placeOf, housekeepingWhere } = await manyExpired();
  const others = asking();
  const [one, other] = [housekeepingWhere(), housekeepingWhere(undefined, placeOf(others))];
  const swept = [one.sweep(), other.sweep()];
  await expect.poll(() => [removing.asked.length, others.asked.length]).toEqual([16, 16]);
  removing.go.resolve();
  await swept[0];
  others.go.resolve();
  await swept[1];
  expect([removing.asked.sort(), others.asked.length]).toEqual([names, 16]);
});

test('a task that is old stays for as long as its picture is kept for another task', async () => {
  let ahead = 0;
  const world = await serviceWorld({
    engine: editingEngine(),
    clock: { ...systemClock, now: () => Date.now() + ahead },
    limits: { pictureMs: DAY_MS, taskKeptMs: DAY_MS },
  });
  const fox = await world.submitted({ prompt: 'a fox' });
  const task = await world.until(fox);
  const url = task.status === 'completed' ? task.result.image_url : '';
  ahead = DAY_MS - MINUTE_MS;
  await world.until(
    await world.submitted({ operation: 'edit', image: `task:${fox}`, prompt: 'in the snow' }),
  );
  ahead = DAY_MS + MINUTE_MS;
  await world.service.sweep();
  expect([(await fetch(url)).status, (await world.status(fox)).status]).toEqual([200, 200]);

  ahead = DAY_MS + 2 * HOUR_MS;
  await world.service.sweep();
  expect([(await fetch(url)).status, (await world.status(fox)).status]).toEqual([404, 404]);
});

test('an idempotency key can be used again after a day', async () => {
  let ahead = 0;
  const world = await serviceWorld({ clock: { ...systemClock, now: () => Date.now() + ahead } });
  const submit = (prompt: string) =>
    world.call('/v1/index.php?endpoint=image_generation', {
      json: { prompt },
      headers: { 'x-api-key': world.key, 'idempotency-key': 'one' },
    });
  const first: { data: { id: string } } = JSON.parse(await (await submit('a fox')).text());
  // A picture that is written while a day goes by is taken for one that nobody finished.
  await world.until(first.data.id);
  ahead = DAY_MS + 1_000;
  await world.service.sweep();
  expect((await submit('a bear')).status).toBe(200);
});
