import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createImageClient, type Submission } from '@darkroom/image-api';
import { DAY_MS, HOUR_MS, systemClock } from '@darkroom/time';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { ALL_ABILITIES, type Engine } from '../src/engines/engine.ts';
import { readInputs } from '../src/engines/inputs.ts';
import type { FilePlace } from '../src/files/file-place.ts';
import { createFolder } from '../src/files/folder.ts';
import { createPrice, priceList } from '../src/ledger/price.ts';
import {
  ALL_OPERATIONS,
  controlledEngine,
  editingEngine,
  inputsOf,
  instantEngine,
  paint,
  paintNoise,
} from './support/engines.ts';
import {
  createServiceWorld,
  type ServiceWorld,
  type ServiceWorldOptions,
  serviceWorld,
} from './support/service.ts';
import { lendTestStorage, testStorage } from './support/storage.ts';

/** Reads what it begins with before it draws. */
const readsFirst =
  ({ draw }: Pick<Engine, 'draw'>): Engine['draw'] =>
  async (drawing, options) => {
    if (drawing.source?.operation === 'upscale') await options.readInput(drawing.source.image);
    return draw(drawing, options);
  };

/** A service with an engine for pictures, and a client with the key of its first account. */
async function studio(options: ServiceWorldOptions = {}) {
  const engine = editingEngine();
  const world = await serviceWorld({ engine, ...options });
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  return { world, engine, client, apiKey: world.key };
}

/** Submits it and waits for its picture; returns the task's id. */
async function made(world: ServiceWorld, submission: Submission): Promise<string> {
  const id = await world.submitted(submission);
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  return id;
}

const picturesIn = async ({ folder }: ServiceWorld): Promise<string[]> =>
  (await readdir(join(folder, 'pictures'))).filter((name) => !/^(proof|probe)-/.test(name));

const photograph = async (width = 320, height = 200) => (await paint({ width, height })).bytes;

test('an upload is edited, enlarged, widened and freed of its background, each in its own size', async () => {
  const { world, engine, client, apiKey } = await studio();
  const { id } = await client.upload(await photograph(), { apiKey });
  const image = `upload:${id}`;
  await made(world, { operation: 'edit', image, prompt: 'in the snow', strength: 0.4 });
  await made(world, { operation: 'upscale', image, prompt: '' });
  await made(world, { operation: 'expand', image, prompt: 'a meadow', expand: { left: 64, right: 32 } });
  await made(world, { operation: 'remove_background', image, prompt: '' });

  expect(
    engine.drawn.map(({ drawing: { width, height, prompt, source } }) => ({
      width,
      height,
      prompt,
      ...source,
    })),
  ).toMatchObject([
    { operation: 'edit', width: 320, height: 200, prompt: 'in the snow', strength: 0.4 },
    { operation: 'upscale', width: 640, height: 400, prompt: '', scale: 2 },
    { operation: 'expand', width: 416, height: 200, margins: { left: 64, top: 0, right: 32, bottom: 0 } },
    { operation: 'remove_background', width: 320, height: 200, prompt: '' },
  ]);
  const { tasks } = await client.list({ apiKey });
  expect(tasks.map(({ operation, madeFrom }) => [operation, madeFrom])).toEqual([
    ['remove_background', [image]],
    ['expand', [image]],
    ['upscale', [image]],
    ['edit', [image]],
  ]);
});

test('a task is the beginning of the next, with what it was drawn from, through the whole line', async () => {
  const { world, engine } = await studio();
  const fox = await made(world, { prompt: 'a red fox', width: 256, height: 192, seed: 7 });
  const larger = await made(world, { operation: 'upscale', image: `task:${fox}`, scale: 4, prompt: '' });
  await made(world, { operation: 'expand', image: `task:${larger}`, prompt: '', expand: { top: 100 } });

  const [, upscaled, expanded] = engine.drawn.map(({ drawing }) => drawing);
  expect(upscaled).toMatchObject({
    width: 1024,
    height: 768,
    source: { image: { width: 256, height: 192, drawing: { prompt: 'a red fox', seed: 7 } } },
  });
  expect(expanded).toMatchObject({
    width: 1024,
    height: 868,
    source: { image: { drawing: { source: { operation: 'upscale', image: { drawing: { seed: 7 } } } } } },
  });
});

/** Three stripes of equal width: white, black, and transparent. */
function stripes({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const colours = [
    [255, 255, 255, 255],
    [0, 0, 0, 255],
    [0, 0, 0, 0],
  ];
  const pixels = Array.from(
    { length: width * height },
    (_, at) => colours[Math.floor(((at % width) * colours.length) / width)] ?? [],
  );
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

test('a mask becomes one in shades of grey: white and transparent are what changes', async () => {
  const { world, engine, client, apiKey } = await studio();
  const size = { width: 96, height: 64 };
  const { id } = await client.upload(await photograph(96, 64), { apiKey });
  const mask = `data:image/png;base64,${(await stripes(size)).toString('base64')}`;
  await made(world, { operation: 'edit', image: `upload:${id}`, mask, prompt: 'a hat' });
  const [drawn] = engine.drawn;
  if (!drawn) throw new Error('nothing was drawn');
  const files = inputsOf(drawn.drawing).map(({ file }) => file);
  const begins = await readInputs(
    drawn.drawing,
    async ({ file }) => drawn.inputs[files.indexOf(file)] ?? new Uint8Array(),
  );
  const grey = sharp(begins?.mask);
  expect(await grey.metadata()).toMatchObject({ ...size, channels: 1 });
  const row = await grey
    .extract({ left: 0, top: 9, width: 96, height: 1 })
    .extractChannel(0)
    .raw()
    .toBuffer();
  expect([row[10], row[48], row[90]]).toEqual([255, 0, 255]);
});

test('a picture that is larger than any upload has a mask of its proportions', async () => {
  const { world, engine, client, apiKey } = await studio();
  const fox = await made(world, { prompt: 'a red fox', width: 640, height: 64 });
  const large = await made(world, { operation: 'upscale', image: `task:${fox}`, scale: 4, prompt: '' });
  const mask = await client.upload(await stripes({ width: 2_560, height: 256 }), { apiKey });
  expect(mask).toMatchObject({ width: 2_048, height: 205 });
  await made(world, {
    operation: 'edit',
    image: `task:${large}`,
    mask: `upload:${mask.id}`,
    prompt: 'a hat',
  });
  expect(engine.drawn.at(-1)?.drawing).toMatchObject({
    width: 2_560,
    height: 256,
    source: { mask: { width: 2_048, height: 205 } },
  });
});

const dataOf = (file: Uint8Array): string => `data:image/png;base64,${Buffer.from(file).toString('base64')}`;

test('an operation costs what its workflow does, or its own price, and the capabilities tell both', async () => {
  const price = createPrice(priceList.parse({ default: 2, upscale: { picture: 0.5, step: 1 } }));
  const { world, client, apiKey } = await studio({ price });
  const image = dataOf(await photograph());
  const costOf = async (submission: Submission) => (await client.dryRun(submission, { apiKey })).cost;
  expect(await costOf({ operation: 'upscale', image, prompt: '' })).toBe(0.5);
  expect(await costOf({ operation: 'edit', image, prompt: 'a hat' })).toBe(2);
  expect(await picturesIn(world)).toEqual([]);
  const { workflows } = await client.capabilities({ apiKey });
  expect(workflows.find(({ name }) => name === 'default')?.operations).toEqual({
    edit: { images: 4, mask: true, strength: true, onlyDrawn: false, cost: 2 },
    upscale: { onlyDrawn: false, cost: 0.5 },
    expand: { onlyDrawn: false, cost: 2 },
    remove_background: { onlyDrawn: false, cost: 2 },
  });
  await made(world, { operation: 'upscale', image, prompt: '' });
  expect(await world.balance()).toBe(99.5);
});

test('a submission that is repeated under its key is one task, also once its picture has gone', async () => {
  let ahead = 0;
  const { world, client, apiKey } = await studio({
    clock: { ...systemClock, now: () => Date.now() + ahead },
    limits: { uploadMs: 60_000, taskMs: 60_000 },
  });
  const { id } = await client.upload(await photograph(), { apiKey });
  const submission = { operation: 'upscale' as const, image: `upload:${id}`, prompt: '' };
  const options = { apiKey, idempotencyKey: 'one' };
  const { taskId } = await client.submit(submission, options);
  await world.until(taskId);
  ahead = 3 * HOUR_MS;
  await world.service.sweep();
  expect(await picturesIn(world)).toHaveLength(1);
  expect((await client.submit(submission, options)).taskId).toBe(taskId);
  await expect(client.submit({ ...submission, scale: 4 }, options)).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
  await expect(client.submit(submission, { apiKey })).rejects.toMatchObject({ code: 'picture_not_found' });
  expect(await world.balance()).toBe(99);
});

test('a submission that is repeated gets its answer also where its picture could not be kept any more', async () => {
  let ahead = 0;
  const { world, client, apiKey } = await studio({
    clock: { ...systemClock, now: () => Date.now() + ahead },
    limits: { uploadMs: 60_000, taskMs: 60_000, uploadBytes: 100_000 },
  });
  const submission = { operation: 'upscale' as const, image: dataOf(await photograph()), prompt: '' };
  const options = { apiKey, idempotencyKey: 'one' };
  const { taskId } = await client.submit(submission, options);
  ahead = 3 * HOUR_MS;
  await world.service.sweep();
  const { bytes } = await paintNoise({ width: 176, height: 176 });
  await client.upload(bytes, { apiKey });
  await expect(client.submit(submission, { apiKey })).rejects.toMatchObject({ code: 'too_many_uploads' });
  expect((await client.submit(submission, options)).taskId).toBe(taskId);
});

test('what a task begins with is there until it has ended, and a service that was restarted finds it', async () => {
  const storage = await testStorage(lendTestStorage);
  let ahead = 0;
  const options = {
    storage,
    clock: { ...systemClock, now: () => Date.now() + ahead },
    limits: { uploadMs: 60_000, pictureMs: 60_000 },
  };
  const before = await createServiceWorld({
    ...options,
    engine: { ...controlledEngine(), operations: async () => ALL_OPERATIONS },
    rr3Engine: instantEngine(),
  });
  const parent = await before.submitted({ prompt: 'a fox', workflow: 'rr3' });
  await before.until(parent);
  const images = [dataOf(await photograph()), `task:${parent}`];
  const edited = await before.submitted({ operation: 'edit', image: images, prompt: 'a hat' });
  await before.close();

  ahead = 20 * 60_000;
  const engine = editingEngine();
  const world = await serviceWorld({ ...options, engine, rr3Engine: instantEngine() });
  await world.service.sweep();
  expect(await world.until(edited, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(engine.drawn[0]?.inputs).toHaveLength(2);
  ahead = DAY_MS;
  await world.service.sweep();
  expect(await picturesIn(world)).toEqual([]);
});

test('an upload whose process died before its file was written is swept, file and row', async () => {
  const storage = await testStorage(lendTestStorage);
  const world = await serviceWorld({ storage });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const id = 'a'.repeat(32);
  const size = { width: 64, height: 64, bytes: 1_000 };
  const times = { createdAt: 0, writtenAt: null, expiresAt: 1 };
  const row = { id, accountId: world.id, sha256: 'b', uses: 1, ...size, ...times };
  await db.insertInto('uploads').values(row).execute();
  await writeFile(join(world.folder, 'pictures', `upload-${id}.png.part`), 'half a pict');
  await world.service.sweep();
  expect(await picturesIn(world)).toEqual([]);
  expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([]);
});

test('a strength that has no effect is said so, and the edit is made', async () => {
  const engine = editingEngine({ edit: { images: 1, mask: false, strength: false } });
  const world = await serviceWorld({ engine });
  const image = `data:image/png;base64,${Buffer.from(await photograph()).toString('base64')}`;
  const edit = { operation: 'edit', image, prompt: 'in the snow' } as const;
  const warningsOf = async (submission: Submission) =>
    JSON.parse(await (await world.submit(submission)).text()).data.warnings;
  expect(await warningsOf({ ...edit, strength: 0.3 })).toEqual([
    'strength has no effect in the workflow default',
  ]);
  expect(await warningsOf(edit)).toBeUndefined();
});

test('a task whose picture cannot be read at the moment waits for it', async () => {
  const { folder } = await testStorage();
  const place = createFolder(join(folder, 'pictures'));
  const failing = new Set<string>();
  const flaky: FilePlace = {
    ...place,
    async open(name, signal) {
      if (failing.delete(name)) throw new Error('the disk is away');
      return place.open(name, signal);
    },
  };
  const engine = controlledEngine();
  const { world, client, apiKey } = await studio({
    engine: { ...engine, operations: async () => ALL_OPERATIONS, draw: readsFirst(engine) },
    place: flaky,
  });
  const { id } = await client.upload(await photograph(), { apiKey });
  failing.add(`upload-${id}.png`);
  const task = await world.submitted({ operation: 'upscale', image: `upload:${id}`, prompt: '' });
  await (await engine.next()).finish();
  expect(await world.until(task)).toMatchObject({ status: 'completed' });
  expect(failing.size).toBe(0);
});

test('an edit in a size beyond its engine says in what size it is drawn', async () => {
  const engine = editingEngine();
  const { world, client, apiKey } = await studio({
    engine: { ...engine, abilities: () => ({ ...ALL_ABILITIES, maxPixels: 128 ** 2 }) },
  });
  const { id } = await client.upload(await photograph(256, 256), { apiKey });
  const answer = await world.submit({ operation: 'edit', image: `upload:${id}`, prompt: 'in the snow' });
  expect(JSON.parse(await answer.text()).data.warnings).toEqual([
    'a picture may have at most 16384 pixels here: this picture has 128 × 128 pixels',
  ]);
});

test('a size beside what has one of its own is said to have no effect', async () => {
  const { world, client, apiKey } = await studio();
  const { id } = await client.upload(await photograph(), { apiKey });
  const upscale = { operation: 'upscale', image: `upload:${id}`, prompt: '', width: 64, height: 64 } as const;
  const { warnings } = JSON.parse(await (await world.submit(upscale)).text()).data;
  expect(warnings).toEqual([expect.stringMatching(/^width/), expect.stringMatching(/^height/)]);
});
