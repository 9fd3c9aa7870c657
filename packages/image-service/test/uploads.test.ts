import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createImageClient } from '@darkroom/image-api';
import { HOUR_MS, MINUTE_MS, systemClock } from '@darkroom/time';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import type { FilePlace } from '../src/files/file-place.ts';
import { createFolder } from '../src/files/folder.ts';
import { animatedPng, animatedWebp, badFiles, jpegOf, pngOf } from './support/brought-pictures.ts';
import { editingEngine, paintNoise } from './support/engines.ts';
import { problemOf, type ServiceWorld, type ServiceWorldOptions, serviceWorld } from './support/service.ts';
import { lendTestStorage, testStorage } from './support/storage.ts';

const UPLOAD = '/v1/index.php?endpoint=upload';

const formOf = (...files: [name: string, bytes: Uint8Array][]): FormData => {
  const form = new FormData();
  for (const [name, bytes] of files) form.append(name, new Blob([new Uint8Array(bytes)]), 'fox.png');
  return form;
};

const post = (world: ServiceWorld, body: FormData | string, headers: Record<string, string> = {}) =>
  world.call(UPLOAD, { method: 'POST', body, headers: { 'x-api-key': world.key, ...headers } });

function clientOf(world: ServiceWorld) {
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  return client;
}

/** What is kept of pictures that were brought. */
const keptIn = async ({ folder }: ServiceWorld): Promise<string[]> =>
  (await readdir(join(folder, 'pictures'))).filter((name) => name.startsWith('upload-'));

test('the same picture is one upload of its account, and another of another account', async () => {
  const world = await serviceWorld();
  const { upload } = clientOf(world);
  const fox = await pngOf(300, 200);
  const [first, second] = await Promise.all([1, 2].map(() => upload(fox, { apiKey: world.key })));
  expect(first).toMatchObject({ id: second?.id, width: 300, height: 200, warnings: [] });
  expect(await upload(fox, { apiKey: world.key })).toMatchObject({ id: first?.id });
  const { key } = await world.addAccount();
  expect((await upload(fox, { apiKey: key })).id).not.toBe(first?.id);
  expect((await upload(await pngOf(301, 200), { apiKey: world.key })).id).not.toBe(first?.id);
  await world.service.sweep();
  await expect.poll(() => keptIn(world)).toHaveLength(3);
});

test('however many large pictures one account brings, another one waits for one of them', async () => {
  const world = await serviceWorld();
  const { key } = await world.addAccount();
  const { upload } = clientOf(world);
  const small = await pngOf(64, 64);
  const large = await Promise.all(
    Array.from({ length: 8 }, (_, red) =>
      sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: { r: red, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  const ended: string[] = [];
  const bring = async (file: Uint8Array, apiKey: string, name: string) => {
    await upload(file, { apiKey });
    ended.push(name);
  };
  const first = Promise.race(large.map((file) => bring(file, world.key, 'large')));
  const others = expect.poll(() => ended.filter((name) => name === 'large')).toHaveLength(8);
  await first;
  await bring(small, key, 'small');
  await others;
  // Of whoever comes last in one line for all, seven large ones are over before.
  expect(ended.indexOf('small')).toBeLessThan(7);
});

test('accounts that send all they may, and slowly, keep no picture of another one out', async () => {
  const world = await serviceWorld({ limits: { perMinute: 100 } });
  const others = [world, await world.addAccount()];
  const answers: string[] = [];
  const head = [
    `POST ${UPLOAD} HTTP/1.1`,
    'host: service',
    'content-type: multipart/form-data; boundary=x',
    'content-length: 1000000',
  ];
  const form = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  // More than both may have at once: those beyond are refused, and then all places are taken.
  for (const { key } of others) {
    for (let nth = 0; nth < 10; nth++) {
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('data', (answer) => answers.push(String(answer)));
      socket.write([...head, `x-api-key: ${key}`, '', form].join('\r\n'));
    }
  }
  await expect.poll(() => answers).toHaveLength(4);

  const { key } = await world.addAccount();
  const statuses = await Promise.all(
    ['fox', 'cat'].map(async (_, nth) => {
      const answer = await post(world, formOf(['file', await pngOf(64 + nth, 64)]), { 'x-api-key': key });
      return answer.status;
    }),
  );
  expect(statuses).toEqual([200, 200]);
  // One or two of them gave up their places: the second may have had that of the first.
  await expect.poll(() => answers.length).toBeGreaterThan(4);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 429 .*retry-after: 3\r\n/s);
});

test('a photograph is turned upright, loses what else is in its file, and is shrunk to the bound, which is said', async () => {
  const engine = editingEngine();
  const world = await serviceWorld({ engine });
  const photograph = await sharp(await pngOf(3_000, 1_000))
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const upload = await clientOf(world).upload(photograph, { apiKey: world.key });
  expect(upload).toMatchObject({
    width: 683,
    height: 2_048,
    warnings: ['a picture is kept with at most 2048 pixels on each side: this one has 683 × 2048'],
  });
  const image = `upload:${upload.id}`;
  await world.until(await world.submitted({ operation: 'remove_background', image }));
  const { exif, icc, orientation } = await sharp(engine.drawn[0]?.inputs[0]).metadata();
  expect([exif, icc, orientation]).toEqual([undefined, undefined, undefined]);
});

test.each([
  { brought: [1, 1], kept: [64, 64] },
  { brought: [48, 36], kept: [85, 64] },
  { brought: [63, 2_016], kept: [64, 2_048] },
])(
  'a picture of $brought pixels is made larger, which is said',
  async ({ brought: [width = 0, height = 0], kept }) => {
    const world = await serviceWorld();
    const [keptWidth, keptHeight] = kept;
    const upload = await clientOf(world).upload(await pngOf(width, height), { apiKey: world.key });
    expect(upload).toMatchObject({
      width: keptWidth,
      height: keptHeight,
      warnings: [
        `a picture is kept with at least 64 pixels on each side: this one has ${keptWidth} × ${keptHeight}`,
      ],
    });
  },
);

const plain = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();

test.each<[kind: string, animation: () => Promise<Buffer>]>([
  ['WebP', async () => animatedWebp([await plain('#ff0000'), await plain('#0000ff')])],
  ['PNG', async () => animatedPng(await plain('#ff0000'))],
])('of an animation the first frame is kept, which is said: %s', async (_kind, animation) => {
  const engine = editingEngine();
  const world = await serviceWorld({ engine });
  const file = await animation();
  const warnings = ['an animation: only its first frame is kept'];
  const { id, height, ...told } = await clientOf(world).upload(file, { apiKey: world.key });
  expect(height).toBe(64);
  expect(told).toMatchObject({ animated: true, warnings });
  const operation = 'remove_background';
  const image = `data:image/png;base64,${file.toString('base64')}`;
  const dryRun = await clientOf(world).dryRun({ operation, image, prompt: '' }, { apiKey: world.key });
  expect(dryRun).toMatchObject({ warnings });
  await world.until(await world.submitted({ operation, image: `upload:${id}` }));
  const pixels = await sharp(engine.drawn[0]?.inputs[0]).raw().toBuffer();
  expect([...pixels.subarray(0, 3)]).toEqual([255, 0, 0]);
});

test('a PNG of one frame is no animation', async () => {
  const world = await serviceWorld();
  const file = animatedPng(await pngOf(64, 64), 1);
  const { animated, warnings } = await clientOf(world).upload(file, { apiKey: world.key });
  expect([animated, warnings]).toEqual([undefined, []]);
});

test('whatever is no picture is refused with a sentence, no trouble in the log, and nothing of it is kept', async () => {
  const storage = await testStorage(lendTestStorage);
  const world = await serviceWorld({ storage });
  for (const [name, file, code, words] of await badFiles()) {
    const answer = await post(world, formOf(['file', file]));
    const problem = await problemOf(answer);
    expect([name, problem.code, problem.message]).toEqual([name, code, expect.stringMatching(words)]);
  }
  expect(world.lines.filter((line) => line.includes('a request failed'))).toEqual([]);
  expect(await keptIn(world)).toEqual([]);
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([]);
});

test('a file beyond the bound is refused, whether its size is said or not', async () => {
  const world = await serviceWorld();
  const large = formOf(['file', Buffer.alloc(30_000_000)]);
  expect(await problemOf(await post(world, large))).toMatchObject({ code: 'picture_too_large' });
  const { body, headers } = new Response(formOf(['file', Buffer.alloc(11_000_000)]));
  const unsaid = await world.call(UPLOAD, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'x-api-key': world.key, 'content-type': headers.get('content-type') ?? '' },
  } as RequestInit);
  expect(await problemOf(unsaid)).toMatchObject({ code: 'picture_too_large', message: /10 MiB/ });
});

test.each<
  [what: string, body: () => Promise<FormData | string>, contentType: string | undefined, code: string]
>([
  ['that is JSON', async () => '{}', 'application/json', 'unsupported_media_type'],
  ['without a boundary', async () => 'x', 'multipart/form-data', 'invalid_request'],
  ['that is empty', async () => '', undefined, 'unsupported_media_type'],
  ['without a file', async () => formOf(), undefined, 'invalid_request'],
  [
    'whose file has another name',
    async () => formOf(['image', await pngOf(64, 64)]),
    undefined,
    'invalid_request',
  ],
  [
    'whose file has no name',
    async () => '--x\r\ncontent-disposition: form-data; filename="a"\r\n\r\nabc\r\n--x--\r\n',
    'multipart/form-data; boundary=x',
    'invalid_request',
  ],
  [
    'with two files',
    async () => formOf(['file', await pngOf(64, 64)], ['file', await pngOf(65, 64)]),
    undefined,
    'invalid_request',
  ],
  [
    'that is cut',
    async () => '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    'multipart/form-data; boundary=x',
    'invalid_request',
  ],
  [
    'whose part is cut',
    async () => '--x\r\ncontent-disposition: form-da',
    'multipart/form-data; boundary=x',
    'invalid_request',
  ],
])('a form %s is refused', async (_, body, contentType, code) => {
  const world = await serviceWorld();
  const answer = await post(
    world,
    await body(),
    contentType === undefined ? {} : { 'content-type': contentType },
  );
  expect((await problemOf(answer)).code).toBe(code);
  expect(await keptIn(world)).toEqual([]);
});

const FORM =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: image/png\r\n\r\nabc\r\n--x--\r\n';
/** Some of its characters are gone, and others stand there. */
const edit = fc.record({
  at: fc.nat(FORM.length),
  gone: fc.nat(20),
  there: fc.constantFrom('', '"', ';', '=', '\r\n', '--x', 'name', '*=', '\0'),
});

test('however a form is damaged, it is refused, and the service goes on', async () => {
  const world = await serviceWorld({ limits: { perMinute: 1_000_000 } });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const body = edits.reduce(
        (form, { at, gone, there }) => form.slice(0, at) + there + form.slice(at + gone),
        FORM,
      );
      const answer = await post(world, body, { 'content-type': 'multipart/form-data; boundary=x' });
      expect((await problemOf(answer)).code).toMatch(/^(invalid_request|picture_unreadable)$/);
    }),
    { numRuns: 300 },
  );
});

test('an upload is refused before it arrives where its key is not in the head, wrong, or has uploaded too often', async () => {
  const world = await serviceWorld({ limits: { perMinute: 1 } });
  async function statusOf(headers: Record<string, string>): Promise<string> {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = {
      host: 'service',
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '9000000',
    };
    const lines = Object.entries({ ...head, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${UPLOAD} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const [answer] = await once(socket, 'data');
    return String(answer).slice(9, 12);
  }
  expect(await statusOf({})).toBe('401');
  expect(await statusOf({ 'x-api-key': `sk-${'0'.repeat(48)}` })).toBe('401');
  await clientOf(world).upload(await pngOf(64, 64), { apiKey: world.key });
  expect(await statusOf({ 'x-api-key': world.key })).toBe('429');
});

test('a key with a limit of its own uploads within that, and neither it nor the other keys take from each other', async () => {
  const world = await serviceWorld({ limits: { perMinute: 1 } });
  const { keys } = world.service;
  const [second, own] = [await keys.generate(world.id), await keys.generate(world.id)];
  await keys.limit(world.id, own.slice(-4), { maxPerMinute: 2 });
  const form = formOf(['file', await pngOf(64, 64)]);
  const answers: Response[] = [];
  for (const key of [own, own, own, world.key, second])
    answers.push(await post(world, form, { 'x-api-key': key }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(['2', '2', '2', '1', '1']);
  const refused = answers.filter(({ status }) => status === 429);
  const [ofKey, ofAccount] = await Promise.all(refused.map(problemOf));
  expect([ofKey?.message, ofAccount?.message]).toEqual([
    expect.stringMatching(/^This key may upload at most 2 /),
    expect.stringMatching(/^This account may upload at most 1 /),
  ]);
});

test('an account that keeps as much as it may is refused until something of it goes', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const world = await serviceWorld({ clock, limits: { uploadBytes: 100_000 } });
  const { upload } = clientOf(world);
  const first = await noise();
  await upload(first, { apiKey: world.key });
  await expect(upload(await noise(), { apiKey: world.key })).rejects.toMatchObject({
    code: 'too_many_uploads',
  });
  await upload(first, { apiKey: world.key });
  const { key } = await world.addAccount();
  await upload(await noise(), { apiKey: key });

  ahead = 25 * HOUR_MS;
  await world.service.sweep();
  expect(await keptIn(world)).toEqual([]);
  await upload(await noise(), { apiKey: world.key });
});

/** A picture that hardly compresses: as it is kept, 68 kB. */
const noise = async () => Buffer.from((await paintNoise({ width: 150, height: 150 })).bytes);

/** A service whose account has room for two of these pictures, with two of them, last used two hours ago. */
async function fullWorld(options: ServiceWorldOptions = {}) {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const limits = { uploadBytes: 150_000, slots: 0 };
  const world = await serviceWorld({ engine: editingEngine(), clock, limits, ...options });
  const { upload, submit } = clientOf(world);
  const bring = (file: Uint8Array) => upload(file, { apiKey: world.key });
  const pictures = [await noise(), await noise()] as const;
  const [older, newer] = [await bring(pictures[0]), await bring(pictures[1])];
  ahead = 2 * HOUR_MS;
  return {
    world,
    pictures,
    older,
    newer,
    bring,
    later(ms: number): void {
      ahead += ms;
    },
    submit: (image: string | string[]) =>
      submit({ operation: 'edit', prompt: 'a hat', image }, { apiKey: world.key }),
  };
}

const filesOf = (...uploads: { id: string }[]): string[] =>
  uploads.map(({ id }) => `upload-${id}.png`).sort();

test('where an account keeps as much as it may, the upload that was used longest ago goes, and none that a task may need', async () => {
  const { world, pictures, older, newer, bring, submit, later } = await fullWorld();
  await bring(pictures[0]);
  const third = await bring(await noise());
  expect((await keptIn(world)).sort()).toEqual(filesOf(older, third));
  await expect(submit(`upload:${newer.id}`)).rejects.toMatchObject({ code: 'picture_not_found' });

  later(HOUR_MS);
  const { taskId } = await submit(`upload:${older.id}`);
  await submit(`upload:${third.id}`);
  later(25 * MINUTE_MS);
  await expect(bring(await noise())).rejects.toMatchObject({
    code: 'too_many_uploads',
    message: expect.stringMatching(/not used for 90 minutes/),
  });
  expect((await keptIn(world)).sort()).toEqual(filesOf(older, third));
  expect(await world.until(taskId, () => true)).toMatchObject({ status: 'pending' });
});

test('what a submission brings takes the room of another upload than the one that it names beside', async () => {
  const { world, older, newer, submit } = await fullWorld();
  const brought = `data:image/png;base64,${(await noise()).toString('base64')}`;
  await submit([brought, `upload:${older.id}`]);
  const kept = await keptIn(world);
  expect(kept).toHaveLength(2);
  expect(kept).toEqual(expect.arrayContaining(filesOf(older)));
  expect(kept).not.toEqual(expect.arrayContaining(filesOf(newer)));
});

test('pictures that arrive together make room for each of them', async () => {
  const { world, older, newer, bring } = await fullWorld();
  const [one, other] = await Promise.all([bring(await noise()), bring(await noise())]);
  expect((await keptIn(world)).sort()).toEqual(filesOf(one, other));
  const gone = { code: 'picture_not_found' };
  for (const { id } of [older, newer])
    expect(
      await problemOf(await world.submit({ operation: 'upscale', image: `upload:${id}` })),
    ).toMatchObject(gone);
});

test('what has expired makes room before what can be used, and before the next sweep', async () => {
  const { world, pictures, older, bring, later } = await fullWorld();
  await bring(pictures[0]);
  later(23 * HOUR_MS);
  const third = await bring(await noise());
  expect((await keptIn(world)).sort()).toEqual(filesOf(older, third));
});

test('an upload that goes and cannot be removed yet is used by nobody, goes alone, and is removed by the next sweep', async () => {
  const storage = await testStorage(lendTestStorage);
  const folder = createFolder(join(storage.folder, 'pictures'));
  const broken = { is: false };
  const place: FilePlace = {
    ...folder,
    async remove(...given) {
      if (broken.is) throw new Error('away');
      await folder.remove(...given);
    },
  };
  const { world, older, newer, bring, submit } = await fullWorld({ storage, place });
  broken.is = true;
  const third = await noise();
  for (let attempt = 1; attempt <= 3; attempt += 1)
    await expect(bring(third)).rejects.toMatchObject({ code: 'pictures_unavailable' });
  await expect(submit(`upload:${older.id}`)).rejects.toMatchObject({ code: 'picture_not_found' });
  broken.is = false;
  await world.service.sweep();
  const brought = await bring(third);
  expect((await keptIn(world)).sort()).toEqual(filesOf(newer, brought));
});

test('an upload that is broken off leaves nothing, and the service goes on', async () => {
  const world = await serviceWorld();
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  const lines = [
    `POST ${UPLOAD} HTTP/1.1`,
    'host: service',
    `x-api-key: ${world.key}`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 1000000',
  ];
  socket.write(
    `${lines.join('\r\n')}\r\n\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`,
  );
  await new Promise((resolve) => socket.write(Buffer.alloc(200_000), resolve));
  socket.destroy();
  await clientOf(world).upload(await jpegOf(100, 100), { apiKey: world.key });
  expect(await keptIn(world)).toHaveLength(1);
  expect(world.lines.filter((line) => line.includes('a request failed'))).toEqual([]);
});

test('nobody fetches an upload as a picture', async () => {
  const world = await serviceWorld();
  await clientOf(world).upload(await pngOf(64, 64), { apiKey: world.key });
  const [file = ''] = await keptIn(world);
  for (const name of [file, file.replace('upload-', '')])
    expect((await fetch(`${world.url}/files/${name}`)).status).toBe(404);
});
