import { redactCredentials, VERSION } from '@darkroom/image-api';
import { captureLog, failureOf, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { Drawing, DrawOptions, Expense, InputPicture, Source } from '../../../src/engines/engine.ts';
import { createHordeEngine } from '../../../src/engines/horde/engine.ts';
import { beginDrawing, drawingOf } from '../../support/drawings.ts';
import { createFakeHorde, HORDE_KEY } from '../../support/fake-horde.ts';

/** An engine on a fake Horde, whose waits pass at once. */
async function hordeWorld({
  key = HORDE_KEY,
  models,
  timeoutMs,
  contact,
}: {
  key?: string;
  contact?: string;
  models?: string[];
  timeoutMs?: number;
} = {}) {
  const horde = await createFakeHorde(models && { models });
  const clock = createFakeClock({ jumps: true });
  const { log, lines } = captureLog(redactCredentials);
  const engine = createHordeEngine({ key, url: horde.url, contact, clock, log, timeoutMs });
  onTestFinished(engine.close);

  function begin(changes: Partial<Drawing> = {}, options: Partial<DrawOptions> = {}) {
    const expenses: Expense[] = [];
    const begun = beginDrawing(engine, drawingOf({ width: 512, height: 512, ...changes }), {
      async spend(expense) {
        expenses.push(expense);
        return async () => undefined;
      },
      ...options,
    });
    return { ...begun, expenses };
  }
  return { horde, engine, clock, lines, begin };
}

test('a picture is asked for as the Horde wants it, and comes without what was written into it', async () => {
  const { horde, begin } = await hordeWorld({ contact: 'https://example.com/bot' });
  const { picture, remembered, expenses } = begin({ prompt: 'a fox ### by night', cfg: 7.123, seed: 9 });
  const request = await horde.request();
  expect(request.body).toMatchObject({
    prompt: 'a fox   by night ### blurry',
    models: ['Dreamshaper', 'stable_diffusion'],
    params: { width: 512, height: 512, steps: 4, seed: '9', cfg_scale: 7.12, n: 1 },
    nsfw: false,
    censor_nsfw: true,
    shared: false,
    r2: false,
  });
  await horde.finish(request);
  const { bytes, ...drawn } = await picture;
  expect(drawn).toEqual({ width: 512, height: 512 });
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  expect(Buffer.from(bytes).includes('a fox')).toBe(false);
  expect(remembered).toEqual([request.id]);
  expect(expenses).toEqual([{ unit: 'kudos', amount: 7 }]);
  const handedIn = horde.asked.find(({ path }) => path.endsWith('/async'));
  expect(handedIn?.headers).toMatchObject({ apikey: HORDE_KEY });
  expect(handedIn?.headers['client-agent']).toBe(`Darkroom:${VERSION}:https://example.com/bot`);
  expect(
    horde.asked.filter(({ path }) => path.includes('/status/') && path.includes('generate')),
  ).toHaveLength(1);
});

test('it is asked how far it is every two seconds, and progress is the time since a machine took it', async () => {
  const { horde, begin, clock } = await hordeWorld();
  const { picture, progress } = begin();
  const request = await horde.request();
  await until(() => progress.length > 3, 'the wait in its queue');
  const waited = progress.splice(0);
  horde.take(request);
  await until(() => progress.filter(({ percent }) => percent > 0).length > 2, 'some progress');
  await horde.finish(request);
  await picture;
  expect(new Set(waited.map(({ percent }) => percent))).toEqual(new Set([0]));
  const percents = progress.map(({ percent }) => percent);
  expect(percents).toEqual([...percents].sort((one, other) => one - other));
  expect(percents.filter((percent) => percent > 0).slice(0, 2)).toEqual([5, 11]);
  expect(new Set(clock.sleeps)).toEqual(new Set([2_000]));
});

test('a place and an end are told as whole numbers that a database keeps', async () => {
  const { horde, begin } = await hordeWorld();
  const { picture, progress } = begin();
  const request = await horde.request();
  Object.assign(request.check, { queue_position: 5e9, wait_time: 29.2515 });
  const told = await until(() => progress.find(({ position = 0 }) => position > 5), 'the place');
  expect(told).toMatchObject({ position: 2 ** 31 - 1, endsInMs: 30_000 });
  await horde.finish(request);
  await picture;
});

test('a request that an earlier process has handed in is followed, and not asked for twice', async () => {
  const { horde, begin } = await hordeWorld();
  const first = begin();
  const request = await horde.request();
  first.stop('closing');
  expect(await failureOf(first.picture)).toBe('closing');
  expect(request.cancelled).toBe(false);
  await horde.finish(request);
  const next = begin({}, { remembered: request.id });
  expect(await next.picture).toMatchObject({ width: 512 });
  expect(horde.requests).toHaveLength(1);
  expect(next.remembered).toEqual([]);
});

test('a request that nobody took is gone after a while, and asked for again', async () => {
  const { horde, begin } = await hordeWorld();
  const { picture, remembered } = begin();
  const first = await horde.request();
  horde.expire(first);
  const second = await horde.request();
  await horde.finish(second);
  expect(await picture).toMatchObject({ width: 512 });
  expect(remembered).toEqual([first.id, second.id]);
});

test('a Horde that knows none of its requests is asked a few times, later each time, and takes each of them back', async () => {
  const { horde, begin, clock } = await hordeWorld();
  horde.answer('GET /api/v2/generate/check', { status: 404 }, 100);
  const remembered: string[] = [];
  const remember = async (id: string) => {
    if (remembered.push(id) > 5) throw new Error('asked once more');
  };
  const { picture } = begin({}, { remember });
  await expect(picture).rejects.toThrow('The AI Horde lost this 5 times. Try again later.');
  expect(horde.requests.map(({ id }) => id)).toEqual(remembered);
  expect(horde.requests.map(({ cancelled }) => cancelled)).toEqual(Array(5).fill(true));
  const [first = 0, second = 0, third = 0] = clock.sleeps;
  expect(first).toBeGreaterThanOrEqual(2_500);
  expect(second).toBeGreaterThanOrEqual(5_000);
  expect(third).toBeGreaterThanOrEqual(10_000);
  expect(clock.sleeps).toHaveLength(4);
});

test.each(['lost', 'deadline'] as const)(
  'a drawing that is stopped as %s is cancelled at the Horde',
  async (reason) => {
    const { horde, begin } = await hordeWorld();
    const { picture, stop, remembered } = begin();
    const request = await horde.request();
    await until(() => remembered.length > 0, 'the id is remembered');
    stop(reason);
    expect(await failureOf(picture)).toBe(reason);
    expect(request.cancelled).toBe(true);
  },
);

test('a request that is on its way is held until its id is remembered', async () => {
  const { horde, begin } = await hordeWorld();
  const events: string[] = [];
  const handedIn = () => `of ${horde.requests.length}`;
  const { picture } = begin(
    {},
    {
      hold() {
        events.push(`held ${handedIn()}`);
        return () => events.push(`let go ${handedIn()}`);
      },
      remember: async () => void events.push('remembered'),
    },
  );
  await horde.finish(await horde.request());
  await picture;
  expect(events).toEqual(['held of 0', 'remembered', 'let go of 1']);
});

test('a drawing that is stopped as lost while its request is on its way takes that back', async () => {
  const { horde, begin } = await hordeWorld();
  const answer = horde.hold();
  const { picture, stop } = begin();
  const request = await horde.request();
  stop('lost');
  answer();
  expect(await failureOf(picture)).toBe('lost');
  expect(request.cancelled).toBe(true);
});

test('a request whose id cannot be remembered is taken back, also where others are left running', async () => {
  const { horde, begin } = await hordeWorld();
  const { picture, stop } = begin(
    {},
    {
      async remember() {
        stop('closing');
        throw 'closing';
      },
    },
  );
  expect(await failureOf(picture)).toBe('closing');
  expect(horde.requests.map(({ cancelled }) => cancelled)).toEqual([true]);
});

test.each([
  ['too many requests', { status: 429, body: { message: 'Too many', rc: 'TooManyPrompts' } }],
  ['maintenance', { status: 400, body: { message: 'Maintenance', rc: 'MaintenanceMode' } }],
  ['an address in timeout', { status: 403, body: { message: 'Timeout', rc: 'TimeoutIP' } }],
  ['a page of an error', { status: 502, body: '<html>' }],
  ['an answer that is cut', { status: 202, body: '{"id":' }],
] as const)('after %s the request is handed in again, later each time', async (_name, answer) => {
  const { horde, begin, clock } = await hordeWorld();
  horde.answer('POST /api/v2/generate/async', answer, 3);
  const { picture } = begin();
  await horde.finish(await horde.request());
  expect(await picture).toMatchObject({ width: 512 });
  const [first = 0, second = 0, third = 0] = clock.sleeps;
  expect(first).toBeGreaterThanOrEqual(2_500);
  expect(second).toBeGreaterThanOrEqual(5_000);
  expect(third).toBeGreaterThanOrEqual(10_000);
});

test('a Horde that keeps silent is asked again after the timeout', async () => {
  const { horde, begin } = await hordeWorld({ timeoutMs: 300 });
  horde.answer('POST /api/v2/generate/async', 'silence');
  const { picture } = begin();
  await horde.finish(await horde.request());
  expect(await picture).toMatchObject({ width: 512 });
});

test.each([
  [
    { status: 400, body: { message: 'This prompt appears to violate our terms.', rc: 'CorruptPrompt' } },
    'The AI Horde refused this: This prompt appears to violate our terms.',
  ],
  [
    { status: 403, body: { message: 'Due to heavy demand …', rc: 'KudosUpfront' } },
    'The AI Horde is too busy for a picture of this size and so many steps.',
  ],
])('a refusal fails the drawing in words: %j', async (answer, words) => {
  const { horde, begin } = await hordeWorld();
  horde.answer('POST /api/v2/generate/async', answer);
  const failure = await failureOf(begin().picture);
  expect(failure).toMatchObject({ name: 'DrawingError', message: words });
  expect(horde.requests).toEqual([]);
});

test.each([
  ['was censored', { censored: true }, 'The AI Horde censored this picture.'],
  [
    'was censored by its machine',
    { gen_metadata: [{ type: 'censorship', value: 'csam' }] },
    'The AI Horde censored this picture.',
  ],
  ['is none', { img: 'bm90IGEgcGljdHVyZQ==' }, 'What the AI Horde sent is not a picture.'],
  [
    'has 60 MB and is none',
    { img: Buffer.alloc(60_000_000).toString('base64') },
    'What the AI Horde sent is not a picture.',
  ],
])('a picture that %s is never shown', async (_name, generation, words) => {
  const { horde, begin } = await hordeWorld();
  const { picture } = begin();
  await horde.finish(await horde.request(), generation);
  expect(await failureOf(picture)).toMatchObject({ name: 'DrawingError', message: words });
});

test('what machines cannot draw fails: at once where they tried, after a minute where none can', async () => {
  const { horde, begin, clock } = await hordeWorld();
  const faulted = begin();
  (await horde.request()).check = { done: false, faulted: true };
  expect(String(await failureOf(faulted.picture))).toContain('could not draw this');
  const before = clock.now();
  const impossible = begin();
  const request = await horde.request(1);
  request.check = { done: false, is_possible: false };
  expect(String(await failureOf(impossible.picture))).toContain('Choose another model');
  expect(clock.now() - before).toBeGreaterThanOrEqual(60_000);
  expect(request.cancelled).toBe(true);
});

test('a key that is nobody’s is said once in the log, without the key, and its workflows are away', async () => {
  const { engine, lines } = await hordeWorld({ key: 'secret-key-of-nobody' });
  const request = { prompt: 'a fox', workflow: 'default', model: undefined } as const;
  for (const _ of [1, 2, 3])
    expect(await engine.rejection?.(request)).toMatchObject({
      reason: 'The AI Horde does not accept the key of this service.',
      retryAfterMs: 30_000,
    });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('Check AI_HORDE_KEY');
  expect(lines[0]).not.toContain('secret-key-of-nobody');
  expect(await engine.servers?.[0]?.isHealthy(AbortSignal.timeout(1_000))).toBe(false);
});

test('nobody waits for a Horde that keeps silent: a submission is taken, and what is offered is told', async () => {
  const { horde, engine } = await hordeWorld({ timeoutMs: WAIT_TIMEOUT_MS });
  horde.answer('GET /api/v2/status/models', 'silence');
  const request = { prompt: 'a fox', workflow: 'default', model: undefined } as const;
  expect(await Promise.all([engine.rejection?.(request), engine.models?.('default')])).toEqual([
    undefined,
    [],
  ]);
});

test('a Horde that tells no more of the owner of a key than is needed draws for it', async () => {
  const { horde, engine } = await hordeWorld();
  horde.answer('GET /api/v2/find_user', { status: 200, body: { username: 'ann#1', kudos: 0 } });
  expect(
    await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined }),
  ).toBeUndefined();
});

test('a model, and a workflow, that no machine has is refused before it costs anything', async () => {
  const { engine } = await hordeWorld({ models: ['Dreamshaper'] });
  const ask = (workflow: Drawing['workflow'], model?: string) =>
    engine.rejection?.({ prompt: 'a fox', workflow, model });
  expect(await ask('default')).toBeUndefined();
  expect(await ask('default', 'Dreamshaper')).toBeUndefined();
  expect(await ask('default', 'dreams')).toMatchObject({ field: 'model', allowed: ['Dreamshaper'] });
  expect(await ask('anime')).toMatchObject({ field: 'workflow' });
  expect(await engine.models?.('default')).toEqual(['Dreamshaper']);
});

test('without an account pictures are as large and as fine as volunteers draw them for nothing', async () => {
  const anonymous = await hordeWorld({ key: '0000000000' });
  expect(anonymous.engine.abilities('default')).toMatchObject({
    sizeStep: 64,
    maxPixels: 1024 ** 2,
    maxSteps: 40,
    graphs: false,
    seenByStrangers: true,
  });
  const known = await hordeWorld();
  expect(known.engine.abilities('default')).toMatchObject({ maxPixels: 2048 ** 2, maxSteps: 50 });
});

type Colour = readonly number[];

/** A picture of two halves. */
const split = (width: number, height: number, left: Colour, right: Colour) =>
  sharp(
    Buffer.from(
      Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? left : right)).flat(),
    ),
    { raw: { width, height, channels: left.length === 1 ? 1 : 3 } },
  );
const RED = [0xc0, 0x20, 0x20];
const BLUE = [0x20, 0x40, 0xc0];

/** Red and blue, with metadata that nobody is to see. */
const halves = (width: number, height: number) =>
  split(width, height, RED, BLUE)
    .withExif({ IFD0: { Copyright: 'somebody in particular' } })
    .png()
    .toBuffer();

/** White on the left half. */
const leftMask = (width: number, height: number) =>
  split(width, height, [255], [0]).toColourspace('b-w').png().toBuffer();

const image: InputPicture = { file: 'image.png', width: 200, height: 120 };
const maskImage: InputPicture = { file: 'mask.png', width: 200, height: 120 };
const readInput = async ({ file, width, height }: InputPicture) =>
  file === 'mask.png' ? leftMask(width, height) : halves(width, height);

const decodedOf = (value: unknown) => sharp(Buffer.from(`${value}`, 'base64'));
const colourAt = async (bytes: Uint8Array, left: number, top: number) => [
  ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

test.each<[string, Source, string, number]>([
  ['img2img', { operation: 'edit', images: [image], strength: 0.333 }, 'img2img', 0.33],
  ['no change at all', { operation: 'edit', images: [image], strength: 0 }, 'img2img', 0.01],
  ['inpainting', { operation: 'edit', images: [image], mask: maskImage, strength: 1 }, 'inpainting', 1],
])(
  'a picture is given to the Horde for %s in a size that it takes',
  async (_, source, processing, strength) => {
    const { horde, begin } = await hordeWorld();
    const { picture } = begin({ width: 200, height: 120, source }, { readInput });
    const request = await horde.request();
    expect(request.body).toMatchObject({
      source_processing: processing,
      params: { width: 192, height: 128, denoising_strength: strength },
      shared: false,
    });
    const given = await decodedOf(request.body.source_image).metadata();
    expect(given).toMatchObject({ format: 'webp', width: 192, height: 128 });
    expect(given).not.toHaveProperty('exif');
    await horde.finish(request);
    const { bytes, ...about } = await picture;
    expect(about).toEqual({ width: 200, height: 120 });
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  },
);

test('outside a mask the picture stays as it is, and within it is what the Horde drew', async () => {
  const { horde, begin } = await hordeWorld();
  const source: Source = { operation: 'edit', images: [image], mask: maskImage, strength: 0.8 };
  const { picture } = begin({ width: 200, height: 120, source }, { readInput });
  const request = await horde.request();
  expect(await colourAt(await decodedOf(request.body.source_mask).png().toBuffer(), 8, 8)).toEqual([
    255, 255, 255,
  ]);
  await horde.finish(request);
  const { bytes } = await picture;
  expect(await colourAt(bytes, 150, 60)).toEqual(BLUE);
  const [red = 0] = await colourAt(bytes, 20, 60);
  expect(red).toBeLessThan(0x60);
});

test('new sides are painted by the Horde, and what was there stays', async () => {
  const { horde, begin } = await hordeWorld();
  const source: Source = { operation: 'expand', image, margins: { left: 0, top: 0, right: 56, bottom: 8 } };
  const { picture } = begin({ width: 256, height: 128, source }, { readInput });
  const request = await horde.request();
  expect(request.body).toMatchObject({
    source_processing: 'outpainting',
    params: { width: 256, height: 128, denoising_strength: 1 },
  });
  await horde.finish(request);
  const { bytes } = await picture;
  expect(await colourAt(bytes, 199, 119)).toEqual(BLUE);
  expect(await colourAt(bytes, 250, 60)).not.toEqual(BLUE);
});

test('an alchemist enlarges a picture, whatever size it comes in', async () => {
  const { horde, begin } = await hordeWorld();
  const source: Source = { operation: 'upscale', image, scale: 2 };
  const { picture, remembered, progress } = begin({ width: 400, height: 240, source }, { readInput });
  const form = await horde.form();
  expect(form.body.forms).toEqual([{ name: 'RealESRGAN_x2plus' }]);
  expect(await decodedOf(form.body.source_image).metadata()).toMatchObject({ width: 200, height: 120 });
  await until(() => progress.length > 2, 'the wait in its queue');
  expect(progress.every(({ percent }) => percent === 0)).toBe(true);
  form.state = 'processing';
  await until(() => progress.some(({ percent }) => percent > 0), 'some progress');
  horde.finishForm(form, await halves(800, 480));
  const { bytes, ...about } = await picture;
  expect(about).toEqual({ width: 400, height: 240 });
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  expect(remembered).toEqual([form.id]);
  expect(horde.requests).toEqual([]);
});

test('of a background that was removed only the shape is taken, and the pixels stay', async () => {
  const { horde, begin } = await hordeWorld();
  const source: Source = { operation: 'remove_background', image };
  const { picture } = begin({ width: 200, height: 120, source }, { readInput });
  const form = await horde.form();
  expect(form.body.forms).toEqual([{ name: 'strip_background' }]);
  const shape = await sharp({ create: { width: 200, height: 120, channels: 3, background: 'green' } })
    .joinChannel(await leftMask(200, 120))
    .webp({ lossless: true })
    .toBuffer();
  horde.finishForm(form, shape);
  const { bytes } = await picture;
  expect(await colourAt(bytes, 20, 60)).toEqual([...RED, 255]);
  expect((await colourAt(bytes, 150, 60))[3]).toBe(0);
});

test('a form of an earlier process is followed, one that is gone is asked for again, one that is stopped is cancelled', async () => {
  const { horde, begin } = await hordeWorld();
  const drawing = {
    width: 400,
    height: 240,
    source: { operation: 'upscale', image, scale: 2 },
  } as const;
  const first = begin(drawing, { readInput });
  const form = await horde.form();
  first.stop('closing');
  expect(await failureOf(first.picture)).toBe('closing');
  expect(form.cancelled).toBe(false);
  const next = begin(drawing, { readInput, remembered: form.id });
  await until(() => next.progress.length > 0, 'some progress');
  horde.expireForm(form);
  await until(() => next.remembered[0], 'another form');
  const other = await horde.form();
  expect(next.remembered).toEqual([other.id]);
  next.stop('deadline');
  expect(await failureOf(next.picture)).toBe('deadline');
  await until(() => other.cancelled, 'the end of the form');
});

test.each([
  ['a private address', 'https://10.0.0.1/picture.webp', 'not the address of a picture'],
  ['no https', 'http://example.com/picture.webp', 'not the address of a picture'],
  ['no address', 'R2', 'not the address of a picture'],
])('what an alchemist has made is not fetched from %s', async (_, address, reason) => {
  const { horde, begin } = await hordeWorld();
  const source: Source = { operation: 'upscale', image, scale: 4 };
  const { picture } = begin({ width: 800, height: 480, source }, { readInput });
  horde.finishForm(await horde.form(), await halves(800, 480), address);
  await expect(picture).rejects.toThrow(reason);
});

test('an alchemist that fails, sends no picture, or leaves the background, is said so', async () => {
  const { horde, begin } = await hordeWorld();
  const source: Source = { operation: 'remove_background', image };
  const size = { width: 200, height: 120, source };
  const faulted = begin(size, { readInput });
  (await horde.form(0)).state = 'faulted';
  await expect(faulted.picture).rejects.toThrow('could not do this');
  const text = begin(size, { readInput });
  horde.finishForm(await horde.form(1), Buffer.from('no picture'));
  await expect(text.picture).rejects.toThrow('not a picture');
  const whole = begin(size, { readInput });
  horde.finishForm(await horde.form(2), await halves(200, 120));
  await expect(whole.picture).rejects.toThrow('with its background');
});
