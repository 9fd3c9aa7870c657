import { readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog, temporaryFolder } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { openPictureSpool, type PictureSpool } from '../../src/jobs/picture-spool.ts';

const JOB = '100000000000000001';
const OTHER_JOB = '100000000000000002';
const { signal } = new AbortController();

const picture = (task: number, bytes: Uint8Array = A_PNG) => ({ task, bytes, contentType: 'image/png' });

/** A spool, and one that another process opens after it in the same folder. */
async function spoolWorld({ limit = 1024 ** 2 } = {}) {
  const parent = await temporaryFolder();
  const folder = join(parent, 'data', 'spool');
  const open = () => openPictureSpool({ folder, log: silentLog(), limit });
  return { folder, parent, open, spool: await open() };
}

/** A spool that is swept daily, by a clock of its own, until `stop`. */
function sweeping(spool: PictureSpool, needed: (jobId: string) => Promise<boolean>) {
  const clock = createFakeClock();
  const stopping = new AbortController();
  const swept = spool.sweepDaily(needed, { clock, signal: stopping.signal });
  return {
    clock,
    stop() {
      stopping.abort();
      return swept;
    },
  };
}

test('a picture is on disk byte for byte, for this user only, until its job is removed', async () => {
  const { folder, spool } = await spoolWorld();
  const spooled = await spool.write(JOB, picture(2));
  expect(spooled).toMatchObject({ task: 2, size: A_PNG.byteLength });
  expect(await spooled?.read(signal)).toEqual(picture(2, Buffer.from(A_PNG)));
  const [name = ''] = await readdir(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  await spool.remove(JOB);
  expect(await readdir(folder)).toEqual([]);
  expect(spool.find(JOB, 2)).toBeUndefined();
});

test('the next process finds what an earlier one has written', async () => {
  const { open, spool } = await spoolWorld();
  await spool.write(JOB, picture(0));
  const found = (await open()).find(JOB, 0);
  expect(await found?.read(signal)).toMatchObject({ task: 0, contentType: 'image/png' });
});

test('of two files of one picture, which a process that died has left, one goes at once and the other with its job', async () => {
  const { folder, open, spool } = await spoolWorld();
  await spool.write(JOB, picture(0));
  await writeFile(join(folder, `${JOB}-0.webp`), A_PNG);
  const next = await open();
  expect(await readdir(folder)).toHaveLength(1);
  await next.remove(JOB);
  expect(await readdir(folder)).toEqual([]);
});

test('a file that another process deletes while the folder is read keeps no other from being found', async () => {
  const { folder, open, spool } = await spoolWorld();
  // What is listed, and not there when it is looked at.
  await symlink(join(folder, 'deleted'), join(folder, `${JOB}-0.png`));
  await spool.write(OTHER_JOB, picture(0));
  const next = await open();
  expect(next.find(JOB, 0)).toBeUndefined();
  expect(next.find(OTHER_JOB, 0)).toBeDefined();
});

test('what does not fit the budget is not written, and room that is freed is used again', async () => {
  const { folder, open, spool } = await spoolWorld({ limit: A_PNG.byteLength + 1 });
  expect(await spool.write(JOB, picture(0))).toBeDefined();
  expect(await spool.write(JOB, picture(1))).toBeUndefined();
  expect(await spool.write(JOB, picture(0))).toBeDefined();
  const next = await open();
  expect(await next.write(OTHER_JOB, picture(0))).toBeUndefined();
  await next.remove(JOB);
  expect(await next.write(OTHER_JOB, picture(0))).toBeDefined();
  expect(await readdir(folder)).toHaveLength(1);
});

test('a sweep deletes what no job needs, and nothing that is not a picture or of which nobody knows', async () => {
  const { folder, open, spool } = await spoolWorld();
  await spool.write(JOB, picture(0));
  await spool.write(OTHER_JOB, picture(0));
  await writeFile(join(folder, 'notes.txt'), 'mine');
  const next = await open();
  const needed = (id: string) => (id === JOB ? Promise.resolve(false) : Promise.reject(new Error('away')));
  const { clock, stop } = sweeping(next, needed);
  await expect.poll(() => clock.asleep).toBe(1);
  expect((await readdir(folder)).sort()).toEqual([`${OTHER_JOB}-0.png`, 'notes.txt']);
  await stop();
});

test('what another process has finished meanwhile is deleted within a day', async () => {
  const { folder, spool } = await spoolWorld();
  await spool.write(JOB, picture(0));
  let needed = true;
  const { clock, stop } = sweeping(spool, () => Promise.resolve(needed));
  await expect.poll(() => clock.asleep).toBe(1);
  expect(await readdir(folder)).toHaveLength(1);
  needed = false;
  await clock.advance(DAY_MS);
  await expect.poll(() => readdir(folder)).toEqual([]);
  await stop();
});

test('a picture that comes again as another type takes the place of the first', async () => {
  const { folder, open, spool } = await spoolWorld();
  await spool.write(JOB, picture(0));
  await spool.write(JOB, { ...picture(0), contentType: 'image/webp' });
  expect(await readdir(folder)).toEqual([`${JOB}-0.webp`]);
  expect(await (await open()).find(JOB, 0)?.read(signal)).toMatchObject({ contentType: 'image/webp' });
});

test('a folder that is deleted meanwhile is there again with the next picture', async () => {
  const { folder, spool } = await spoolWorld();
  await rm(folder, { recursive: true });
  expect(await spool.write(JOB, picture(0))).toMatchObject({ task: 0 });
  expect(await readdir(folder)).toEqual([`${JOB}-0.png`]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('a folder that cannot be made keeps nobody from starting', async () => {
  const { parent } = await spoolWorld();
  await writeFile(join(parent, 'file'), '');
  const spool = await openPictureSpool({ folder: join(parent, 'file', 'spool'), log: silentLog() });
  expect(await spool.write(JOB, picture(0))).toBeUndefined();
  expect(spool.find(JOB, 0)).toBeUndefined();
});
