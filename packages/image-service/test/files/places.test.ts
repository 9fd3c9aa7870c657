import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeferred, failRenames, pretendWindows, watchFlushes } from '@darkroom/testing';
import { DAY_MS, HOUR_MS, systemClock } from '@darkroom/time';
import { describe, expect, onTestFinished, test } from 'vitest';
import { boundPlace } from '../../src/files/bounded-place.ts';
import type { FilePlace, OpenFile } from '../../src/files/file-place.ts';
import { createFolder } from '../../src/files/folder.ts';
import { openPlace } from '../../src/files/open-place.ts';
import { bucketAt, startS3 } from '../support/bucket.ts';
import { noiseEngine } from '../support/engines.ts';
import { problemOf, type ServiceWorldOptions, serviceWorld } from '../support/service.ts';
import { startService } from '../support/service-process.ts';
import { testStorage } from '../support/storage.ts';
import { withoutPackage } from '../support/without-package.ts';

const signal = new AbortController().signal;

async function folder(): Promise<() => FilePlace> {
  const path = await mkdtemp(join(tmpdir(), 'darkroom-place-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return () => createFolder(path);
}

async function bucket(): Promise<() => FilePlace> {
  const { endpoint } = await startS3();
  return () => bucketAt(endpoint, 'darkroom/main');
}

/** A service whose pictures are in a place of this kind. */
async function worldIn(open: () => FilePlace, options: ServiceWorldOptions = {}) {
  const world = await serviceWorld({ ...options, place: open() });
  return {
    ...world,
    async picture(): Promise<string> {
      const task = await world.until(await world.submitted({ prompt: 'a fox' }));
      if (task.status !== 'completed') throw new Error(task.status);
      return task.result.image_url;
    },
  };
}

describe.each([
  ['a folder', folder],
  ['a bucket', bucket],
])('in %s', (_, kind) => {
  test('a file is read as it was written last, until it is removed', async () => {
    const place = (await kind())();
    await place.create(signal);
    expect(await place.open('fox.png', signal)).toBeUndefined();
    expect(await place.has('fox.png', signal)).toBe(false);
    for (const text of ['a fox', 'another, larger fox']) {
      await place.write('fox.png', Buffer.from(text), signal);
      const file = await place.open('fox.png', signal);
      expect(file?.size).toBe(text.length);
      expect(file && `${await buffer(file.stream)}`).toBe(text);
      expect(await place.has('fox.png', signal)).toBe(true);
    }
    await place.remove('fox.png', signal);
    await place.remove('fox.png', signal);
    expect(await place.has('fox.png', signal)).toBe(false);
    place.close();
  });

  test('a picture is fetched whole, whichever process drew it, and only for its time', async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const open = await kind();
    const storage = await testStorage();
    const one = await worldIn(open, { storage, clock, engine: noiseEngine() });
    const other = await worldIn(open, { storage, clock, engine: noiseEngine() });
    const { pathname } = new URL(await one.picture());
    const picture = await other.call(pathname);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(bytes.length).toBe(Number(picture.headers.get('content-length')));
    expect(bytes.length).toBeGreaterThan(512 * 512 * 3);

    ahead = 7 * DAY_MS + 60_000;
    expect((await other.call(pathname)).status).toBe(410);
    await other.service.sweep();
    const place = open();
    expect(await place.has(pathname.replace('/files/', ''), signal)).toBe(false);
    place.close();
  });

  test('a HEAD tells how large a picture is, and reads none of it', async () => {
    const open = await kind();
    const place = open();
    let stream: Readable | undefined;
    const watched: FilePlace = {
      ...place,
      async open(...given) {
        const file = await place.open(...given);
        stream = file?.stream;
        return file;
      },
    };
    const world = await worldIn(() => watched, { engine: noiseEngine() });
    const answer = await fetch(await world.picture(), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(512 * 512 * 3);
    await expect.poll(() => stream?.destroyed).toBe(true);
    expect(stream?.readableEnded).toBe(false);
  });

  test('two services with databases of their own share it, and neither removes what is not its', async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const open = await kind();
    const one = await worldIn(open, { clock });
    const other = await worldIn(open);
    const [own, foreign] = [await one.picture(), await other.picture()];
    ahead = 40 * DAY_MS;
    await one.service.sweep();
    expect((await fetch(own)).status).toBe(404);
    expect((await fetch(foreign)).status).toBe(200);
  });

  test('a picture that is missing is said to be unavailable, and one that never was to be unknown', async () => {
    const open = await kind();
    const world = await worldIn(open);
    const url = await world.picture();
    const place = open();
    await place.remove(url.replace(/.*\//, ''), signal);
    place.close();

    const missing = await fetch(url);
    expect([missing.status, missing.headers.get('retry-after')]).toEqual([503, '10']);
    expect((await problemOf(missing)).code).toBe('file_unavailable');
    expect(world.lines.join('')).toMatch(/[0-9a-f]{32}\.png is missing/);
    const never = await world.call(`/files/${'0'.repeat(32)}.png`);
    expect([never.status, (await problemOf(never)).code]).toEqual([404, 'file_not_found']);
  });
});

/** What comes of a file that is written into a folder while something is done to that. */
async function writtenWhile(path: string, work: () => Promise<void>): Promise<PromiseSettledResult<void>> {
  for (;;) {
    let isOver = false;
    const write = createFolder(path).write('fox.png', Buffer.alloc(8_000_000), signal);
    const written = Promise.allSettled([write]).finally(() => {
      isOver = true;
    });
    await expect.poll(() => readdir(path), { interval: 1 }).not.toEqual([]);
    await work();
    const wasInTime = !isOver;
    const [result] = await written;
    if (wasInTime) return result;
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
  }
}

test('a file that is removed while it is written into a folder is gone, which is no failure', async () => {
  const path = await mkdtemp(join(tmpdir(), 'darkroom-place-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const removed = writtenWhile(path, () => createFolder(path).remove('fox.png', signal));
  expect(await removed).toMatchObject({ status: 'fulfilled' });
  expect(await readdir(path)).toEqual([]);
  const gone = writtenWhile(path, () => rm(path, { recursive: true }));
  expect(await gone).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT' } });
});

test('a file that is written into a folder keeps its name where the machine loses power', async () => {
  const path = await mkdtemp(join(tmpdir(), 'darkroom-place-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const flushed = await watchFlushes(path);
  await createFolder(path).write('fox.png', Buffer.from('a fox'), signal);
  expect(flushed).toEqual(['file: fox.png.part', 'folder: fox.png']);
});

test('a file that a folder opens only after its time is closed again', async () => {
  const place = (await folder())();
  await place.write('fox.png', Buffer.from('a fox'), signal);
  const opened: (OpenFile | undefined)[] = [];
  const answered = createDeferred<void>();
  const late: FilePlace = {
    ...place,
    async open(name) {
      await answered.promise;
      const file = await place.open(name, signal);
      opened.push(file);
      return file;
    },
  };
  await expect(boundPlace(late, 1).open('fox.png')).rejects.toThrow('does not answer');
  answered.resolve();
  await expect.poll(() => opened[0]?.stream.closed).toBe(true);
});

test('a probe that a killed process has left in a folder is removed, and nothing else that is old', async () => {
  const path = await mkdtemp(join(tmpdir(), 'darkroom-place-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  for (const name of ['probe-old', 'probe-old.part', 'probe-new', 'fox.png'])
    await writeFile(join(path, name), '');
  const old = new Date(Date.now() - 2 * HOUR_MS);
  for (const name of ['probe-old', 'probe-old.part', 'fox.png']) await utimes(join(path, name), old, old);
  await createFolder(path).probe(10, signal);
  expect((await readdir(path)).sort()).toEqual(['fox.png', 'probe-new']);
});

test('on Windows a picture is stored although a virus scanner looks at it for a moment', async () => {
  const place = (await folder())();
  pretendWindows();
  failRenames(2, 'EBUSY');
  await place.write('fox.png', Buffer.from('a fox'), signal);
  expect(await place.has('fox.png', signal)).toBe(true);
});

test('on Windows the address of a folder has a slash before the drive, which is not of the path', async () => {
  expect((await openPlace({ url: 'file:///D:/pictures' })).description).toBe('the folder /D:/pictures');
  pretendWindows();
  // D: is no drive here, but a folder.
  const description = `the folder ${resolve('D:/pictures')}`;
  expect((await openPlace({ url: 'file:///D:/pictures' })).description).toBe(description);
  expect((await openPlace({ url: 'file:///srv/pictures' })).description).toBe('the folder /srv/pictures');
});

test('a bucket without its package is refused at the start, with the command that installs it', async () => {
  const service = startService(await testStorage(), {
    PICTURES_URL: 's3://pictures',
    NODE_OPTIONS: withoutPackage('@aws-sdk/client-s3'),
  });
  expect(await service.ended).toMatchObject({ code: 1 });
  expect(service.output()).toContain(
    'PICTURES_URL: the package @aws-sdk/client-s3 is not installed: npm install --no-save @aws-sdk/client-s3@3 (with Docker Compose: PACKAGES="@aws-sdk/client-s3@3" in .env, then docker compose up -d --build)',
  );
});
