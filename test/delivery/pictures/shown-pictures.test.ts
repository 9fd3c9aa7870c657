import { createServer } from 'node:http';
import { ServiceError } from '@darkroom/image-api';
import { listen, silentLog } from '@darkroom/testing';
import { createSemaphore, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { A_PNG } from '../../../packages/image-api/test/support/polite-service.ts';
import { fetchAttachedFile } from '../../../src/delivery/attached-files.ts';
import { createOutcomeMessage } from '../../../src/delivery/outcome-message.ts';
import { createShownPictures } from '../../../src/delivery/pictures/shown-pictures.ts';
import { FileGoneError } from '../../../src/jobs/input.ts';
import type { JobTask } from '../../../src/jobs/job-task.ts';
import { inRoom } from '../../../src/jobs/picture-room.ts';
import { aJob, TASKS } from '../../support/job.ts';
import { largePictures } from '../../support/large-pictures.ts';

const signal = new AbortController().signal;
const neverAsked = () => Promise.reject(new Error('no file is shown'));

/**
 * A job of pictures of these seeds, a Discord that has the files in `has`, and a service that has a picture or not.
 */
async function pictureWorld({
  has,
  kept,
  seeds = [7, 8],
}: {
  has: string[];
  kept: boolean;
  seeds?: number[];
}) {
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = has.includes(url.slice(1)) ? 200 : 404;
    response.end(url);
  });
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${await listen(server)}`;
  const shown = createShownPictures({
    fetchPicture: async () => {
      if (!kept) throw new ServiceError('not-found', 'gone');
      return { bytes: Buffer.from('of the service'), contentType: 'image/png' };
    },
    fetchFile: (file, within) => fetchAttachedFile(file, within, `${address}/api`),
    memory: createSemaphore(1_000),
    clock: systemClock,
    log: silentLog(),
  });
  const tasks = seeds.map((seed): JobTask => ({ ...TASKS.completed, seed }));
  const fileOf = (name: string) => ({ name, url: `${address}/${name}`, size: `/${name}`.length });
  return {
    of: (names: string[]) => shown.of(aJob({ tasks }), names.map(fileOf)),
    texts: async (names: string[]) => {
      const pictures = shown.of(aJob({ tasks }), names.map(fileOf));
      return Promise.all(
        pictures.map(async ({ read }) => Buffer.from((await read(signal)).bytes).toString()),
      );
    },
  };
}

test('a picture is taken from its message, found by its seed whatever the order', async () => {
  const names = ['darkroom-8.png', 'SPOILER_darkroom-7.webp'];
  const { texts, of } = await pictureWorld({ has: names, kept: false });
  expect(await texts(names)).toEqual(['/SPOILER_darkroom-7.webp', '/darkroom-8.png']);
  expect((await of(names)[0]?.read(signal))?.contentType).toBe('image/webp');
});

test('pictures of one seed are told apart by their order', async () => {
  const names = ['darkroom-7.png', 'other-darkroom-7.png'];
  const { texts } = await pictureWorld({ has: names, kept: false, seeds: [7, 7] });
  expect(await texts(names)).toEqual(['/darkroom-7.png', '/other-darkroom-7.png']);
});

test('what Discord no longer has is taken from the image service', async () => {
  const { texts } = await pictureWorld({ has: ['darkroom-8.png'], kept: true });
  expect(await texts(['darkroom-7.png', 'darkroom-8.png'])).toEqual(['of the service', '/darkroom-8.png']);
  expect(await texts([])).toEqual(['of the service', 'of the service']);
});

test('a call to the image service that fails for a moment is made again', async () => {
  let calls = 0;
  const shown = createShownPictures({
    async fetchPicture() {
      calls += 1;
      if (calls === 1) throw new ServiceError('unreachable', 'the connection was reset');
      return { bytes: A_PNG, contentType: 'image/png' };
    },
    fetchFile: neverAsked,
    memory: createSemaphore(1_000),
    clock: systemClock,
    log: silentLog(),
  });
  const [picture] = shown.of(aJob({ tasks: [TASKS.completed] }), []);
  expect((await picture?.read(signal))?.bytes).toBe(A_PNG);
});

test('what neither has is gone', async () => {
  const { of } = await pictureWorld({ has: [], kept: false });
  await expect(of(['darkroom-7.png'])[0]?.read(signal)).rejects.toThrow(FileGoneError);
});

test('of those that turn out larger than is known only as many are in memory at once as there is room for', async () => {
  const large = largePictures();
  const memory = createSemaphore(64 * 1024 ** 2);
  const shown = createShownPictures({
    fetchPicture: (_, address, bounds) => large.download(address, bounds),
    fetchFile: neverAsked,
    memory,
    clock: systemClock,
    log: silentLog(),
  });
  const pictures = shown.of(aJob({ tasks: [TASKS.completed, TASKS.completed] }), []);
  const uses = pictures.map((picture) => shown.use(picture, async ({ task }) => task));
  const message = createOutcomeMessage(aJob(), pictures, {});
  const holding = inRoom(memory, message, () => message.write(signal), { signal });
  expect(await Promise.all(uses)).toEqual([0, 1]);
  expect((await holding).files).toHaveLength(2);
  expect(large.mostInMemory()).toBe(1);
});
