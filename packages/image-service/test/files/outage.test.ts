import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTcpProxy, until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import type { FilePlace } from '../../src/files/file-place.ts';
import { createFolder } from '../../src/files/folder.ts';
import { bucketAt, startS3 } from '../support/bucket.ts';
import { controlledEngine } from '../support/engines.ts';
import { problemOf, type ServiceWorld, serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

/** A place whose failures are noticed sooner than in earnest. */
const quick = (place: FilePlace): FilePlace => ({ ...place, probeMs: 20 });

/** Longer than a small picture takes to be written. */
const A_WRITE_MS = 300;

interface Outage {
  place: FilePlace;
  /** What is said of it meanwhile. */
  problem: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

async function folders() {
  const { folder } = await testStorage();
  const [pictures, aside] = [join(folder, 'pictures'), join(folder, 'aside')];
  return { pictures, aside, place: quick(createFolder(pictures)) };
}

const OUTAGES: [string, () => Promise<Outage>][] = [
  [
    'a folder that is gone',
    async () => {
      const { pictures, aside, place } = await folders();
      const [begin, end] = [() => rename(pictures, aside), () => rename(aside, pictures)];
      return { place, begin, end, problem: 'is not the one that it was' };
    },
  ],
  [
    'a disk that is not mounted, so that its folder is empty',
    async () => {
      const { pictures, aside, place } = await folders();
      async function begin() {
        await rename(pictures, aside);
        await mkdir(pictures);
      }
      async function end() {
        await rm(pictures, { recursive: true });
        await rename(aside, pictures);
      }
      return { place, begin, end, problem: 'is not the one that it was' };
    },
  ],
  [
    'a folder that is a file',
    async () => {
      const { pictures, aside, place } = await folders();
      async function begin() {
        await rename(pictures, aside);
        await writeFile(pictures, '');
      }
      async function end() {
        await rm(pictures);
        await rename(aside, pictures);
      }
      return { place, begin, end, problem: 'does not answer' };
    },
  ],
  [
    'a bucket that refuses connections',
    async () => {
      const proxy = await startTcpProxy(new URL((await startS3()).endpoint));
      const [begin, end] = [async () => proxy.refuse(), async () => proxy.recover()];
      return { place: quick(bucketAt(proxy.url)), begin, end, problem: 'does not answer' };
    },
  ],
];

const linesIn = (world: ServiceWorld): string[] =>
  world.lines.map((line) => JSON.parse(line).msg).filter((said) => /^pictures can/.test(said));

test.each(OUTAGES)(
  'with %s nothing is queued or charged, polls go on, and all is well afterwards',
  async (_, open) => {
    const { place, problem, begin, end } = await open();
    const world = await serviceWorld({ place });
    const id = await world.submitted({ prompt: 'a fox' });
    const task = await world.until(id);
    const picture = task.status === 'completed' ? task.result.image_url : '';
    expect(await world.balance()).toBe(99);

    await begin();
    await until(() => linesIn(world).length > 0, 'the place is missed');
    await until(async () => {
      const refused = await world.submit({ prompt: 'a bear' });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
      const { code, message } = await problemOf(refused);
      expect(code).toBe('pictures_unavailable');
      return message.includes(`the place for pictures ${problem}. Nothing was queued or charged`);
    }, problem);
    expect((await world.until(id)).status).toBe('completed');
    expect((await problemOf(await fetch(picture))).code).toBe('file_unavailable');
    expect(world.lines.join('')).not.toContain('a request failed');
    expect(await world.balance()).toBe(99);

    await end();
    await until(() => linesIn(world).length > 1, 'the place is found again');
    expect((await fetch(picture)).status).toBe(200);
    expect((await world.until(await world.submitted({ prompt: 'a bear' }))).status).toBe('completed');
    expect(linesIn(world)).toEqual([
      'pictures cannot be stored, and new tasks are refused; trying again',
      'pictures can be stored again',
    ]);
    expect(await world.balance()).toBe(98);
  },
);

test.each(['ENOSPC', 'EROFS'])(
  'while files cannot be written (%s), the log tells of one that is lost',
  async (code) => {
    const { pictures, place } = await folders();
    let refuses = false;
    const probe: FilePlace['probe'] = async (...given) => {
      if (refuses) throw Object.assign(new Error('the disk refuses'), { code });
      await place.probe(...given);
    };
    const world = await serviceWorld({ place: { ...place, probe } });
    const task = await world.until(await world.submitted({ prompt: 'a fox' }));
    const picture = task.status === 'completed' ? task.result.image_url : '';
    refuses = true;
    await until(() => linesIn(world).length > 0, 'the place is missed');
    const name = new URL(picture).pathname.split('/').at(-1) ?? '';
    await rm(join(pictures, name));
    expect((await problemOf(await fetch(picture))).code).toBe('file_unavailable');
    await expect.poll(() => world.lines.join('')).toContain(`${name} is missing`);
  },
);

test('while a disk is not mounted, no picture is written to its empty folder, nor an old one forgotten', async () => {
  const { pictures, aside, place } = await folders();
  const engine = controlledEngine();
  const world = await serviceWorld({ place, engine, limits: { pictureMs: 1 } });
  const picturesIn = async (folder: string) =>
    (await readdir(folder)).filter((name) => name.endsWith('.png')).length;
  const old = await world.submitted({ prompt: 'a fox' });
  await (await engine.next()).finish();
  await world.until(old);
  const id = await world.submitted({ prompt: 'a bear' });
  const drawing = await engine.next();
  await rename(pictures, aside);
  await mkdir(pictures);
  await until(() => linesIn(world).length > 0, 'the disk is missed');

  await drawing.finish();
  await systemClock.sleep(A_WRITE_MS);
  await world.service.sweep();
  expect([await picturesIn(pictures), await picturesIn(aside)]).toEqual([0, 1]);
  await rm(pictures, { recursive: true });
  await rename(aside, pictures);
  expect((await world.until(id)).status).toBe('completed');
  await world.service.sweep();
  expect(await picturesIn(pictures)).toBe(0);
});
