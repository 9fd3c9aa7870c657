import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createImageClient, envelope, OPERATIONS } from '@darkroom/image-api';
import { createDeferred, until } from '@darkroom/testing';
import { DAY_MS, HOUR_MS, systemClock } from '@darkroom/time';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { ALL_ABILITIES } from '../src/engines/engine.ts';
import { createSketchEngine } from '../src/engines/sketch.ts';
import { createFolder } from '../src/files/folder.ts';
import { badFiles, pngOf } from './support/brought-pictures.ts';
import { ALL_OPERATIONS, controlledEngine, editingEngine, failingEngine } from './support/engines.ts';
import { PRIVATE_ADDRESSES } from './support/private-addresses.ts';
import {
  body,
  createServiceWorld,
  problemOf,
  type ServiceWorld,
  type ServiceWorldOptions,
  serviceWorld,
  type TestAccount,
} from './support/service.ts';
import { testStorage } from './support/storage.ts';

/** An account without tasks in a world that many tests share. */
let world: ServiceWorld;
let account: TestAccount;
beforeAll(async () => {
  world = await createServiceWorld({ engine: editingEngine(), limits: { perMinute: 10_000 } });
  account = await world.addAccount();
});
afterAll(() => world.close());

const dataOf = (file: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(file).toString('base64')}`;

async function uploaded({ url, key }: Pick<ServiceWorld, 'url' | 'key'>, file: Uint8Array): Promise<string> {
  const client = createImageClient({ baseUrl: url });
  onTestFinished(() => client.close());
  return `upload:${(await client.upload(file, { apiKey: key })).id}`;
}

const keptIn = async ({ folder }: ServiceWorld): Promise<string[]> =>
  (await readdir(join(folder, 'pictures'))).filter((name) => name.startsWith('upload-'));

/** Submits and tries it: both are refused alike, nothing is charged, and no task is made. Returns what was said. */
async function refusal(submission: object, { key }: { key: string } = account) {
  const before = await keptIn(world);
  const headers = { 'x-api-key': key };
  const tried = await world.call('/v1/index.php?endpoint=dry_run', { json: submission, headers });
  const { request_id: _, ...first } = await problemOf(tried);
  const { request_id: __, ...problem } = await problemOf(await world.submit(submission, key));
  expect(problem).toEqual(first);
  expect(await world.balance(key)).toBe(100);
  const listed = await world.call('/v1/index.php?endpoint=task_list', { headers });
  expect((await body(listed, envelope(OPERATIONS.list.answer.sent))).data.tasks).toEqual([]);
  expect(await keptIn(world)).toEqual(before);
  return problem;
}

const image = `upload:${'0'.repeat(32)}`;
const edit = { operation: 'edit', image, prompt: 'a hat' };

test.each<[object, string, RegExp, string?]>([
  [
    { operation: 'repaint', image, prompt: 'a fox' },
    'invalid_request',
    /one of generate, edit, upscale/,
    'operation',
  ],
  [{ operation: 'edit', image }, 'missing_prompt', /needs a prompt/, 'prompt'],
  [{ operation: 'edit', image, prompt: ' ' }, 'missing_prompt', /needs a prompt/, 'prompt'],
  [{ operation: 'edit', prompt: 'a hat' }, 'invalid_request', /image is missing/, 'image'],
  [{ operation: 'upscale' }, 'invalid_request', /image is missing/, 'image'],
  [{ operation: 'expand', image }, 'invalid_request', /expand is missing/, 'expand'],
  [{ prompt: 'a fox', image }, 'invalid_request', /operation is missing/, 'operation'],
  [{ operation: 'expand', image, expand: {} }, 'parameter_out_of_range', /more than 0 pixels/, 'expand'],
  [{ operation: 'expand', image, expand: { left: 0 } }, 'parameter_out_of_range', /more than 0/, 'expand'],
  [{ operation: 'expand', image, expand: { left: -1 } }, 'invalid_request', /whole pixels/, 'expand'],
  [{ operation: 'expand', image, expand: { around: 9 } }, 'invalid_request', /whole pixels/, 'expand'],
  [{ operation: 'upscale', image, scale: 3 }, 'invalid_request', /must be 2 or 4/, 'scale'],
  [{ ...edit, strength: 1.5 }, 'parameter_out_of_range', /at most 1/, 'strength'],
  [{ ...edit, image: 'fox.png' }, 'invalid_request', /must be upload:ID, task:ID/, 'image'],
  [{ ...edit, image: Array(5).fill(image) }, 'invalid_request', /list of up to 4/, 'image'],
  [{ ...edit, mask: 7 }, 'invalid_request', /must be upload:ID, task:ID/, 'mask'],
  [{ operation: 'upscale', image: [image, image] }, 'parameter_out_of_range', /one picture/, 'image'],
  [
    { ...edit, prompt: { '1': { class_type: 'SaveImage', inputs: {} } } },
    'graph_not_supported',
    /send words/,
    'prompt',
  ],
  [edit, 'picture_not_found', /has expired/],
  [{ ...edit, image: 'upload:../../secret' }, 'invalid_request', /must be upload:ID/, 'image'],
  [{ ...edit, image: `task:${'0'.repeat(36)}` }, 'picture_not_found', /no picture task:0/],
  [{ ...edit, image: 'data:image/png;base64,***' }, 'invalid_request', /data:image/, 'image'],
  [{ ...edit, image: 'data:image/png,fox' }, 'invalid_request', /data:image/, 'image'],
  [{ ...edit, image: 'data:text/plain;base64,AAAA' }, 'invalid_request', /must be upload:ID/, 'image'],
])('%j is refused with a sentence', async (submission, code, words, field) => {
  const problem = await refusal(submission);
  expect([problem.code, problem.message]).toEqual([code, expect.stringMatching(words)]);
  if (field) expect(problem.details).toMatchObject({ field });
});

test.each(PRIVATE_ADDRESSES.filter(([address]) => address.startsWith('https:')))(
  'a picture at %s is not fetched',
  async (address, words) => {
    const problem = await refusal({ ...edit, image: address });
    expect([problem.code, problem.message]).toEqual(['invalid_request', expect.stringMatching(words)]);
    expect(problem.message).not.toContain('secret');
  },
);

test('whatever is no picture is refused in the submission as in an upload', async () => {
  for (const [name, file, code, words] of await badFiles()) {
    if (file.length === 0) continue;
    const problem = await refusal({ ...edit, image: dataOf(file) });
    expect([name, problem.code, problem.message]).toEqual([name, code, expect.stringMatching(words)]);
  }
});

test('a picture that is too large for a body is to be uploaded', async () => {
  const problem = await refusal({ ...edit, image: dataOf(Buffer.alloc(900_000)) });
  expect(problem).toMatchObject({ code: 'body_too_large', message: expect.stringMatching(/[Uu]pload/) });
});

test('a mask of another shape, and a result that is too large, are refused before anything is kept', async () => {
  const fox = dataOf(await pngOf(300, 200));
  const mask = dataOf(await pngOf(200, 300));
  expect(await refusal({ ...edit, image: fox, mask })).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/mask has 200 × 300 pixels and image 300 × 200.*same proportions/),
  });
  const wide = dataOf(await pngOf(2_000, 100));
  expect(await refusal({ operation: 'upscale', image: wide, scale: 4 })).toMatchObject({
    code: 'parameter_out_of_range',
    message: expect.stringMatching(/8000 × 400 pixels.*at most 4096.*smaller scale/),
  });
  expect(await refusal({ operation: 'expand', image: wide, expand: { left: 2_100 } })).toMatchObject({
    code: 'parameter_out_of_range',
    message: expect.stringMatching(/4100 × 100 pixels/),
  });
  const square = dataOf(await pngOf(2_000, 2_000));
  expect(await refusal({ operation: 'expand', image: square, expand: { left: 1_000 } })).toMatchObject({
    code: 'parameter_out_of_range',
    message: expect.stringMatching(/3000 × 2000 pixels.*draws at most/),
  });
});

test("another account's upload and task are not found, as if they were not there", async () => {
  const other = await world.addAccount();
  const upload = await uploaded({ url: world.url, key: other.key }, await pngOf(100, 100));
  const task = await world.submitted({ prompt: 'a fox' }, other.key);
  await world.until(task, undefined, other.key);
  for (const [theirs, nobodys] of [
    [upload, image],
    [`task:${task}`, 'task:00000000-0000-4000-8000-000000000000'],
  ]) {
    const [real, none] = [
      await refusal({ operation: 'upscale', image: theirs }),
      await refusal({ operation: 'upscale', image: nobodys }),
    ];
    expect(real.code).toBe('picture_not_found');
    expect(real.message.replace(`${theirs}`, '')).toBe(none.message.replace(`${nobodys}`, ''));
  }
});

/** A world of its own, where a task is submitted for the operation to begin with. */
async function refusedAfter(options: ServiceWorldOptions, task: string) {
  const world = await serviceWorld(options);
  const id = await world.submitted({ prompt: 'a fox' });
  if (task !== 'pending') await world.until(id);
  return problemOf(await world.submit({ operation: 'upscale', image: `task:${id}` }));
}

test('a task that is not over, or has failed, has no picture to begin with', async () => {
  const operations = async () => ALL_OPERATIONS;
  expect(await refusedAfter({ engine: { ...controlledEngine(), operations } }, 'pending')).toMatchObject({
    code: 'picture_not_found',
    message: expect.stringMatching(/not completed yet/),
  });
  expect(await refusedAfter({ engine: { ...failingEngine(), operations } }, 'failed')).toMatchObject({
    code: 'picture_not_found',
    message: expect.stringMatching(/failed/),
  });
});

test('an upload and a picture that have expired are not found', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const world = await serviceWorld({ engine: editingEngine(), clock });
  const fox = await world.submitted({ prompt: 'a fox' });
  await world.until(fox);
  const upload = await uploaded(world, await pngOf(100, 100));
  const codeOf = async (image: string) =>
    (await problemOf(await world.submit({ operation: 'upscale', image }))).code;
  ahead = 25 * HOUR_MS;
  expect(await codeOf(upload)).toBe('picture_not_found');
  ahead = 8 * DAY_MS;
  expect(await codeOf(`task:${fox}`)).toBe('picture_not_found');
});

test('a workflow of a model that only changes pictures draws nothing from words alone, and says so', async () => {
  const engine = editingEngine({ edit: { images: 1, mask: true, strength: false } });
  const world = await serviceWorld({
    engine: { ...engine, abilities: () => ({ ...ALL_ABILITIES, fromWords: false }) },
    rr3Engine: createSketchEngine(),
  });
  expect(await problemOf(await world.submit({ prompt: 'a fox' }))).toMatchObject({
    code: 'operation_not_supported',
    message: 'The workflow default does not draw from words alone: those that do are rr3.',
    details: { field: 'operation', allowed: ['rr3'] },
  });
  const image = dataOf(await pngOf(100, 100));
  const id = await world.submitted({ operation: 'edit', image, prompt: 'a fox' });
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  const answer = await world.call('/v1/index.php?endpoint=capabilities');
  const { data } = await body(answer, envelope(OPERATIONS.capabilities.answer.sent));
  expect(data.workflows.map(({ name, from_words }) => [name, from_words])).toEqual([
    ['default', false],
    ['anime', false],
    ['z-image', false],
    ['rr3', undefined],
  ]);
});

test('a workflow without the operation is refused, with those that have it', async () => {
  const world = await serviceWorld({
    engine: editingEngine({ edit: { images: 1, mask: false, strength: false } }),
    rr3Engine: createSketchEngine(),
  });
  const refusedOf = async (submission: object) =>
    problemOf(await world.submit({ image: dataOf(await pngOf(100, 100)), ...submission }));
  expect(await refusedOf({ operation: 'upscale' })).toMatchObject({
    code: 'operation_not_supported',
    message: 'The workflow default does not upscale pictures: those that do are rr3.',
    details: { field: 'operation', allowed: ['rr3'] },
  });
  expect(await refusedOf({ operation: 'remove_background' })).toMatchObject({
    message: 'The workflow default does not remove backgrounds: no workflow here does.',
  });
  expect(await refusedOf({ operation: 'upscale', workflow: 'rr3' })).toMatchObject({
    code: 'operation_not_supported',
    message: expect.stringMatching(/pictures that sketch has drawn/),
    details: { field: 'image' },
  });
  const two = [dataOf(await pngOf(100, 100)), dataOf(await pngOf(100, 101))];
  expect(await refusedOf({ operation: 'edit', prompt: 'a hat', image: two })).toMatchObject({
    code: 'operation_not_supported',
    message: expect.stringMatching(/at most 1/),
  });
  expect(await refusedOf({ operation: 'edit', prompt: 'a hat', mask: two[0] })).toMatchObject({
    code: 'operation_not_supported',
    message: expect.stringMatching(/no mask/),
    details: { field: 'mask' },
  });
  expect(await world.balance()).toBe(100);
  expect(await keptIn(world)).toEqual([]);
});

test('pictures that wait to be kept have a bounded room, of which an account takes a part', async () => {
  const folder = createFolder(join((await testStorage()).folder, 'slow'));
  await folder.create(AbortSignal.timeout(5_000));
  const writing = createDeferred<void>();
  let begun = 0;
  const world = await serviceWorld({
    engine: editingEngine(),
    place: {
      ...folder,
      async write(...call) {
        if (call[0].startsWith('upload-')) {
          begun++;
          await writing.promise;
        }
        await folder.write(...call);
      },
    },
  });
  const submitting = async (count: number, { key }: { key: string }) => {
    const brought = await Promise.all(Array.from({ length: count }, (_, at) => pngOf(100 + at, 100)));
    return world.submit({ ...edit, image: brought.map((file) => dataOf(file)) }, key);
  };
  const [one, other, third] = [await world.addAccount(), await world.addAccount(), await world.addAccount()];
  const first = [submitting(4, one), submitting(4, other)];
  await until(async () => begun === 2, 'two that wait for the disk');
  const refused = await submitting(2, one);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
  first.push(submitting(3, third), submitting(1, one));
  await until(async () => begun === 4, 'all that there is room for');
  expect((await submitting(1, world)).status).toBe(429);
  expect((await world.submit({ prompt: 'a fox' })).status).toBe(200);
  writing.resolve();
  for (const answer of await Promise.all(first)) expect(answer.status).toBe(200);
  expect((await submitting(4, one)).status).toBe(200);
});

test('what a submission brings is let go of where there is no task for it, unless it was uploaded before', async () => {
  const world = await serviceWorld({ engine: editingEngine(), credits: 0.5 });
  const file = await pngOf(100, 100);
  const keptAfterRefusal = async () => {
    expect((await world.submit({ ...edit, image: dataOf(file) })).status).toBe(402);
    await world.service.sweep();
    return keptIn(world);
  };
  expect(await keptAfterRefusal()).toEqual([]);
  const upload = await uploaded(world, file);
  expect(await keptAfterRefusal()).toEqual([`${upload.replace(':', '-')}.png`]);
});

test('what a submission brings stays where it may have become a task, as far as the database has said', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, engine: editingEngine() });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  await sql`alter table "replays" rename to "away"`.execute(db);
  const answer = await world.call('/v1/index.php?endpoint=image_generation', {
    json: { ...edit, image: dataOf(await pngOf(100, 100)) },
    headers: { 'x-api-key': world.key, 'idempotency-key': 'one' },
  });
  expect(answer.status).toBe(500);
  await sql`alter table "away" rename to "replays"`.execute(db);
  await world.service.sweep();
  expect(await keptIn(world)).toHaveLength(1);
});
