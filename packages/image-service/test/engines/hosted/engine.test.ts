import { failureOf, NOWHERE, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFakeClock, createFastClock } from '@darkroom/time/testing';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DrawingError, type InputPicture, type Source } from '../../../src/engines/engine.ts';
import type { HostedOptions } from '../../../src/engines/hosted/engine.ts';
import { createFakeOpenai, OPENAI_KEY, openaiRefusal } from '../../support/fake-openai.ts';
import { createFakeProvider } from '../../support/fake-providers.ts';
import { hostedEngine } from '../../support/hosted-engine.ts';

/** An engine on a stand-in of OpenAI. */
async function hostedWorld({
  fake,
  ...options
}: Partial<HostedOptions> & { fake?: Parameters<typeof createFakeOpenai>[0] } = {}) {
  const openai = await createFakeOpenai(fake);
  const engine = await hostedEngine({
    provider: 'openai',
    model: 'gpt-image-2.6-flare',
    key: OPENAI_KEY,
    baseUrl: openai.baseUrl,
    ...options,
  });
  return { openai, ...engine };
}

const compatible = { provider: 'openai-compatible', model: 'sd-turbo' } as const;

test.each([
  ['OpenAI', {}],
  ['a server that speaks its routes', compatible],
])('a picture of %s comes without what was written into it', async (_name, options) => {
  const { openai, begin } = await hostedWorld(options);
  const { picture, remembered } = begin({ prompt: 'a fox', width: 1024, height: 1024 });
  const { bytes, ...drawn } = await picture;
  expect(drawn).toEqual({ width: 1024, height: 1024 });
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  expect(Buffer.from(bytes).includes('a fox')).toBe(false);
  expect(openai.requests).toMatchObject([{ prompt: 'a fox', n: 1, size: '1024x1024' }]);
  expect(remembered).toEqual(['asked']);
});

test('a picture that comes as an address is fetched, as often as that takes, and asked for once', async () => {
  const { openai, begin } = await hostedWorld({ ...compatible, fake: { byUrl: true } });
  openai.answerDownload({ status: 503 }, { status: 429 });
  expect(await begin().picture).toMatchObject({ width: 1024 });
  expect(openai.requests).toHaveLength(1);
});

test('a picture of 61 MB that comes as an address is fetched once', async () => {
  const { openai, begin } = await hostedWorld({ ...compatible, fake: { byUrl: true } });
  openai.answerDownload({ status: 200, body: 'A'.repeat(61 * 1024 ** 2) });
  expect(await failureOf(begin().picture)).toMatchObject({
    cause: { message: expect.stringContaining('more than') },
  });
  expect(openai.asked.filter(({ path }) => path === '/picture.png')).toHaveLength(1);
});

test('the SDK says nothing on standard error', async () => {
  const spies = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info')];
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
  const { begin } = await hostedWorld(compatible);
  await begin().picture;
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

test('the sizes that a model has, and what it makes nothing of, are known before it is asked', async () => {
  const { engine } = await hostedWorld();
  const square = { width: 1024, height: 1024 };
  expect(engine.abilities('default')).toMatchObject({
    effects: [],
    graphs: false,
    previews: false,
    sizes: [square, { width: 1536, height: 1024 }, { width: 1024, height: 1536 }],
  });
  expect(engine.abilities('z-image')).toBeUndefined();
});

test.each([
  ['OpenAI', { provider: 'openai', baseUrl: 'https://proxy.example.com/v1' }, 'OpenAI'],
  ['a server elsewhere', { ...compatible, baseUrl: 'https://images.example.com/v1' }, 'images.example.com'],
  ["the operator's own", { ...compatible, baseUrl: 'http://127.0.0.1:8080/v1' }, undefined],
  ['one in their network', { ...compatible, baseUrl: 'http://gpu-2:8080/v1' }, undefined],
] as const)('it says to whom words and pictures are sent: %s', async (_name, options, sentTo) => {
  const { engine } = await hostedWorld(options);
  expect(engine.abilities('default')?.sentTo).toBe(sentTo);
});

test("stable-diffusion.cpp's server is told seed and steps in its own block, which words cannot forge", async () => {
  const { openai, engine, begin } = await hostedWorld({ ...compatible, fake: { sdcpp: true } });
  expect(engine.abilities('default')?.effects).toEqual(['negative_prompt', 'steps', 'seed', 'cfg']);
  const words = 'a fox <sd_cpp_extra_args>{"seed":1}</sd_cpp_extra_args>';
  await begin({ prompt: words, negativePrompt: '</sd_cpp_extra_args> blurry', seed: 9, steps: 4, cfg: 3 })
    .picture;
  const [, block = ''] =
    /<sd_cpp_extra_args>(.*?)<\/sd_cpp_extra_args>/.exec(openai.requests[0]?.prompt ?? '') ?? [];
  expect(JSON.parse(block)).toEqual({
    seed: 9,
    negative_prompt: '</sd_cpp_extra_args> blurry',
    sample_params: { sample_steps: 4, guidance: { txt_cfg: 3 } },
  });
  expect(openai.requests[0]?.prompt.match(/<sd_cpp_extra_args>/g)).toHaveLength(1);
});

test.each([
  [400, 'moderation_blocked', 'Your request was rejected by the safety system.'],
  [400, 'content_policy_violation', 'This request has been blocked by our content filters.'],
  [400, 'invalid_value', "Invalid value: 'huge'."],
])('a refusal (%s %s) is told in its own words and asked for once', async (status, code, message) => {
  const { openai, begin } = await hostedWorld();
  openai.answer(openaiRefusal(status, code, message));
  const { picture, remembered } = begin();
  const failure = await failureOf(picture);
  expect(failure).toBeInstanceOf(DrawingError);
  expect(failure).toMatchObject({ message: `OpenAI refused this: ${message}` });
  expect(openai.requests).toHaveLength(1);
  expect(remembered).toEqual(['asked', '']);
});

test.each([
  ['429', openaiRefusal(429, 'rate_limit_exceeded', 'Rate limit reached'), 2_000],
  [
    '429 with Retry-After',
    openaiRefusal(429, 'rate_limit_exceeded', 'Slow', { 'retry-after': '37' }),
    37_000,
  ],
  [
    '429 with a Retry-After by a clock of its own',
    openaiRefusal(429, 'rate_limit_exceeded', 'Slow', {
      date: 'Mon, 01 Jan 2001 12:00:00 GMT',
      'retry-after': 'Mon, 01 Jan 2001 12:00:37 GMT',
    }),
    37_000,
  ],
  [
    '429 with a Retry-After of years',
    openaiRefusal(429, 'rate_limit_exceeded', 'Slow', { 'retry-after': '157680000' }),
    300_000,
  ],
  ['500', openaiRefusal(500, 'server_error', 'The server had an error'), 2_000],
  ['503 that is no JSON', { status: 503, body: '<html>' }, 2_000],
] as const)('after %s a picture is asked for again, and later', async (_name, answer, leastMs) => {
  const { openai, begin, waits } = await hostedWorld();
  openai.answer(answer, answer);
  const { picture, remembered } = begin();
  expect(await picture).toMatchObject({ width: 1024 });
  expect(openai.requests).toHaveLength(3);
  expect(remembered).toEqual(['asked', '', 'asked', '', 'asked']);
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(leastMs);
});

test.each([
  ['keeps silent', 'silence', /has not answered it\. Whether it charges/],
  ['is cut', { cut: {} }, /has not answered it\. Whether it charges/],
  ['was given up on by a proxy', { status: 504, body: '<html>' }, /has not answered it\. Whether it charges/],
  [
    'has no picture',
    { status: 200, body: { data: [] } },
    /answered without a picture.*Whether it charges.*It costs its whole price/,
  ],
  [
    'is no picture',
    { status: 200, body: { data: [{ b64_json: 'Zm94' }] } },
    /without a picture that can be read.*Whether/,
  ],
  ['is no JSON', { status: 200, body: '<html>' }, /without a picture that can be read.*Whether/],
] as const)(
  'an answer that %s may have been charged: it is said, and nothing is asked again',
  async (_name, answer, words) => {
    const { openai, begin } = await hostedWorld(answer === 'silence' ? { callMs: 500 } : {});
    openai.answer(answer);
    const { picture, remembered } = begin();
    const failure = await failureOf(picture);
    expect(failure).toBeInstanceOf(DrawingError);
    expect(failure).toMatchObject({ message: expect.stringMatching(words) });
    // Where 500 ms are over before anything is sent, it is sent once more.
    expect(remembered.at(-1)).toBe('asked');
    await expect.poll(() => openai.requests.length).toBe(1);
  },
);

test('an answer of 61 MB is not read to its end', async () => {
  const { openai, begin } = await hostedWorld();
  openai.answer({ status: 200, body: { data: [{ b64_json: 'A'.repeat(61 * 1024 ** 2) }] } });
  expect(await failureOf(begin().picture)).toMatchObject({
    message: expect.stringContaining('Whether it charges'),
    cause: { message: expect.stringContaining('more than') },
  });
  expect(openai.requests).toHaveLength(1);
});

test('a drawing that an earlier process may have asked for is not asked for again', async () => {
  const { openai, begin } = await hostedWorld();
  expect(await failureOf(begin({}, { remembered: 'asked' }).picture)).toMatchObject({
    message: expect.stringContaining('Whether it charges'),
  });
  expect(openai.requests).toEqual([]);
  expect(await begin({}, { remembered: '' }).picture).toMatchObject({ width: 1024 });
});

test.each(['closing', 'lost', 'deadline'] as const)(
  'a drawing that is stopped as %s ends at once',
  async (reason) => {
    const { openai, begin } = await hostedWorld();
    openai.answer('silence');
    const { picture, stop, remembered } = begin();
    await openai.request();
    stop(reason);
    expect(await failureOf(picture)).toBe(reason);
    expect(remembered).toEqual(['asked']);
  },
);

test('what is stopped before it is asked for is held, costs nothing, and is forgotten', async () => {
  const { openai, begin } = await hostedWorld();
  const events: string[] = [];
  const { picture, stop } = begin(
    {},
    {
      cost: 0.04,
      hold() {
        events.push('held');
        return () => events.push('let go');
      },
      async spend() {
        events.push('spent');
        return async () => void events.push('taken back');
      },
      async remember(name) {
        events.push(`remembered ${name}`);
        stop('lost');
        if (name) throw new Error('the run does not hold its task any more');
      },
    },
  );
  expect(await failureOf(picture)).toBe('lost');
  expect(events).toEqual(['held', 'spent', 'remembered asked', 'remembered ', 'taken back', 'let go']);
  expect(openai.requests).toEqual([]);
});

test('a key that is refused stops the engine, with one line of the log that does not tell it', async () => {
  const key = 'sk-proj-key-of-nobody-at-all';
  const { engine, lines, begin, health, openai, clock } = await hostedWorld({ key });
  const { picture, stop } = begin();
  await expect.poll(() => openai.asked.filter(({ method }) => method === 'POST').length).toBeGreaterThan(1);
  expect(await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined })).toEqual({
    reason: 'OpenAI does not accept the key of this service.',
    retryAfterMs: 30_000,
  });
  expect(await health()).toBe(false);
  stop('deadline');
  await failureOf(picture);
  clock.advance(60_000);
  expect(await health()).toBe(false);
  expect(lines.filter((line) => line.includes('It is tried again later'))).toHaveLength(1);
  expect(lines.join()).toContain('Check HOSTED_API_KEY');
  expect(lines.join()).not.toContain(key);
});

test('a key with which a drawing is refused is asked about half a minute later, although it was accepted just before', async () => {
  const clock = createFakeClock();
  const { engine, openai, begin } = await hostedWorld({ clock });
  expect(await engine.examine?.(AbortSignal.timeout(WAIT_TIMEOUT_MS))).toBe('OpenAI accepts the key');
  const rejection = () => engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined });
  openai.answer(openaiRefusal(401, 'invalid_api_key', 'Incorrect API key provided'));
  const { picture, stop } = begin();
  await expect.poll(rejection).toMatchObject({ retryAfterMs: 30_000 });
  stop('deadline');
  expect(await failureOf(picture)).toBe('deadline');
  await clock.advance(30_000);
  expect(await rejection()).toBeUndefined();
});

test.each([
  [429, 'insufficient_quota', 'You exceeded your current quota', 'Top it up there', 'credit'],
  [400, 'billing_hard_limit_reached', 'Billing hard limit has been reached', 'Top it up there', 'credit'],
  [404, 'model_not_found', 'The model does not exist', 'Check HOSTED_MODEL', 'model'],
  [403, 'model_not_found', 'Your project has no access to the model', 'Check HOSTED_MODEL', 'model'],
  [403, null, 'Your organization must be verified to use the model', 'Verify the account', 'this account'],
])(
  'what its operator has to mend (%s %s) is waited for, and named once',
  async (status, code, message, mend, about) => {
    const { openai, begin, engine, lines } = await hostedWorld();
    openai.answer(openaiRefusal(status, code, message), openaiRefusal(status, code, message));
    const { picture } = begin();
    await openai.request(1);
    expect(await picture).toMatchObject({ width: 1024 });
    const warned = lines.filter((line) => line.includes('It is tried again later'));
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain(mend);
    expect(warned[0]).toContain(about);
    expect(await engine.rejection?.({ prompt: '', workflow: 'default', model: undefined })).toBeUndefined();
  },
);

test('a model that a provider does not have is known before a picture is asked for, and keeps no other from drawing', async () => {
  const { engine, lines, begin, health } = await hostedWorld({ others: ['gpt-imagine', 'gpt-paint'] });
  await health();
  expect(
    await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: 'gpt-imagine' }),
  ).toMatchObject({ reason: 'OpenAI does not have the model gpt-imagine.' });
  expect(
    await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined }),
  ).toBeUndefined();
  expect(await health()).toBe(true);
  expect(await begin().picture).toMatchObject({ width: 1024 });
  expect(lines.filter((line) => line.includes('Check SERVICE_WORKFLOWS'))).toHaveLength(2);
  const examined = engine.examine?.(AbortSignal.timeout(WAIT_TIMEOUT_MS));
  for (const model of ['gpt-imagine', 'gpt-paint'])
    await expect(examined).rejects.toThrow(
      `OpenAI does not have the model ${model}. Check SERVICE_WORKFLOWS.`,
    );
});

test('a question about a model that is not answered says nothing of it, and is not repeated with each submission', async () => {
  const clock = createFastClock({ factor: 20 });
  const { openai, engine } = await hostedWorld({ model: 'gpt-imagine', clock });
  await expect(engine.examine?.(AbortSignal.timeout(WAIT_TIMEOUT_MS))).rejects.toThrow(
    'does not have the model',
  );
  const asked = () => openai.asked.filter(({ path }) => path === '/v1/models/gpt-imagine').length;
  const before = asked();
  openai.answerAboutModel(...Array(12).fill({ cut: {} }));
  clock.advance(61_000);
  for (let submission = 1; submission <= 3; submission += 1)
    expect(
      await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined }),
    ).toMatchObject({ reason: 'OpenAI does not have the model gpt-imagine.' });
  expect(asked() - before, 'one question, which is tried four times').toBe(4);
});

test('a key that may draw, but not ask for models, is accepted', async () => {
  const { openai, engine } = await hostedWorld({ fake: { scopes: ['model.request'] } });
  expect(await engine.examine?.(AbortSignal.timeout(WAIT_TIMEOUT_MS))).toBe('OpenAI accepts the key');
  expect(openai.asked).toMatchObject([{ path: '/v1/models' }, { path: '/v1/models/gpt-image-2.6-flare' }]);
});

test('a provider that nobody reaches is waited for', async () => {
  const { begin, lines, health, engine } = await hostedWorld({ baseUrl: `${NOWHERE}/v1` });
  const { picture, stop, remembered } = begin();
  await expect.poll(() => remembered.length).toBeGreaterThan(2);
  expect(await engine.rejection?.({ prompt: '', workflow: 'default', model: undefined })).toMatchObject({
    reason: 'OpenAI does not answer at the moment.',
  });
  stop('deadline');
  await failureOf(picture);
  expect(await health()).toBe(false);
  expect(lines.filter((line) => line.includes('It is tried again later'))).toHaveLength(1);
  expect(lines[0]).toContain('Check HOSTED_BASE_URL');
});

const image: InputPicture = { file: 'image.png', width: 200, height: 120 };
const maskImage: InputPicture = { file: 'mask.png', width: 200, height: 120 };
const BLUE = [0x20, 0x40, 0xc0];

/** A blue picture with metadata that nobody is to see, and a mask that is white on the left half. */
const readInput = async ({ file, width, height }: InputPicture): Promise<Uint8Array> => {
  const whole = sharp({
    create: { width, height, channels: 3, background: file === 'mask.png' ? 'black' : '#2040c0' },
  });
  if (file !== 'mask.png')
    return whole
      .withExif({ IFD0: { Copyright: 'somebody in particular' } })
      .png()
      .toBuffer();
  const white = { create: { width: width / 2, height, channels: 3, background: 'white' } } as const;
  return whole
    .composite([{ input: white, left: 0, top: 0 }])
    .removeAlpha()
    .toColourspace('b-w')
    .png()
    .toBuffer();
};

const pixelAt = async (bytes: Uint8Array | undefined, left: number, top: number) => [
  ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

test('what is to change of pictures is said in words, and the result has the size of the first', async () => {
  const { openai, begin } = await hostedWorld();
  const source: Source = { operation: 'edit', images: [image, image], strength: 0.5 };
  const { picture, remembered } = begin(
    { prompt: 'in the snow', width: 200, height: 120, source },
    { readInput },
  );
  const { bytes, ...drawn } = await picture;
  expect(drawn).toEqual({ width: 200, height: 120 });
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  expect(openai.requests).toMatchObject([{ prompt: 'in the snow', size: '1536x1024', mask: undefined }]);
  const given = openai.requests[0]?.images ?? [];
  expect(given).toHaveLength(2);
  expect(await sharp(given[0]).metadata()).toMatchObject({ format: 'png', width: 1536, height: 1024 });
  for (const each of given) expect(await sharp(each).metadata()).not.toHaveProperty('exif');
  expect(remembered).toEqual(['asked']);
});

test('a mask is what can be seen through, and beside it every pixel stays', async () => {
  const { openai, begin } = await hostedWorld();
  const source: Source = { operation: 'edit', images: [image], mask: maskImage, strength: 1 };
  const { picture } = begin({ width: 200, height: 120, source }, { readInput });
  const { bytes } = await picture;
  const [{ mask } = {}] = openai.requests;
  expect((await pixelAt(mask, 40, 40))[3]).toBe(0);
  expect((await pixelAt(mask, 1400, 40))[3]).toBe(255);
  expect(await pixelAt(bytes, 190, 60)).toEqual(BLUE);
  expect(await pixelAt(bytes, 10, 60)).not.toEqual(BLUE);
});

test('new sides are a mask around the picture, which stays', async () => {
  const { openai, begin } = await hostedWorld();
  const source: Source = { operation: 'expand', image, margins: { left: 40, top: 0, right: 0, bottom: 40 } };
  const { bytes } = await begin({ width: 240, height: 160, source }, { readInput }).picture;
  expect(openai.requests).toMatchObject([{ size: '1536x1024' }]);
  expect(await pixelAt(bytes, 41, 1)).toEqual(BLUE);
  expect(await pixelAt(bytes, 20, 60)).not.toEqual(BLUE);
});

test('what a model makes of pictures depends on the model', async () => {
  const { engine } = await hostedWorld();
  const whole = { edit: { images: 4, mask: true, strength: false }, expand: {} };
  expect(await engine.operations?.('default')).toEqual(whole);
  const { engine: other } = await hostedWorld(compatible);
  expect(await other.operations?.('default')).toEqual({});
  const { engine: sdcpp } = await hostedWorld({ ...compatible, fake: { sdcpp: true } });
  expect(await sdcpp.operations?.('default')).toEqual({ edit: { images: 1, mask: false, strength: false } });
});

test.each([
  ['refused for a moment is asked for again', openaiRefusal(429, 'rate_limit_exceeded', 'Slow down.'), 2],
  ['refused for good is said so', openaiRefusal(400, 'moderation_blocked', 'Not this picture.'), 1],
])('an edit that is %s, and leaves no trace of having been asked for', async (_, answer, times) => {
  const { openai, begin } = await hostedWorld();
  openai.answer(answer);
  const source: Source = { operation: 'edit', images: [image], strength: 0.5 };
  const { picture, remembered } = begin({ width: 200, height: 120, source }, { readInput });
  if (times === 2) expect(await picture).toMatchObject({ width: 200 });
  else await expect(picture).rejects.toThrow('OpenAI refused this: Not this picture.');
  expect(openai.requests).toHaveLength(times);
  expect(remembered.slice(0, 2)).toEqual(['asked', '']);
});

test('an edit that gets no answer is not asked for again', async () => {
  const { openai, begin } = await hostedWorld();
  openai.answer({ cut: {} });
  const source: Source = { operation: 'edit', images: [image], strength: 0.5 };
  const { picture } = begin({ width: 200, height: 120, source }, { readInput });
  await expect(picture).rejects.toThrow('Whether it charges for that cannot be known');
  expect(openai.requests).toHaveLength(1);
});

const KEY = 'key-of-somebody-at-a-provider';

test.each([
  ['black-forest-labs', 'flux-pro-1.0-fill', false],
  ['black-forest-labs', 'flux-kontext-pro', true],
  ['replicate', 'black-forest-labs/flux-fill-pro', false],
  ['fal', 'fal-ai/flux-pro/kontext', false],
  ['fal', 'fal-ai/flux-pro/kontext/text-to-image', true],
  ['fal', 'fal-ai/flux/dev', true],
  ['openai', 'gpt-image-2.6-flare', true],
] as const)('whether words alone are enough depends on the model: %s %s', async (provider, model, enough) => {
  const { engine } = await hostedEngine({ provider, model, key: KEY, baseUrl: NOWHERE });
  expect(engine.abilities('default')?.fromWords).toBe(enough);
});

test('FLUX.1 Fill of Black Forest Labs is given picture and mask by its own names', async () => {
  const bfl = await createFakeProvider('black-forest-labs', { key: KEY });
  const { engine, begin } = await hostedWorld({
    provider: 'black-forest-labs',
    model: 'flux-pro-1.0-fill',
    key: KEY,
    baseUrl: bfl.baseUrl,
  });
  expect(await engine.operations?.('default')).toEqual({
    edit: { images: 1, mask: true, strength: false },
    expand: {},
  });
  const source: Source = { operation: 'edit', images: [image], mask: maskImage, strength: 1 };
  const { bytes } = await begin({ prompt: 'snow', width: 200, height: 120, source }, { readInput }).picture;
  const [{ model, fields } = { model: '', fields: {} }] = bfl.requests;
  expect([model, fields.prompt, fields.input_image]).toEqual(['flux-pro-1.0-fill', 'snow', undefined]);
  const [given, mask] = [fields.image, fields.mask].map((each) => Buffer.from(`${each}`, 'base64'));
  expect(await pixelAt(given, 10, 60)).toEqual(BLUE);
  const whiteness = await Promise.all([10, 150].map((left) => pixelAt(mask, left, 60)));
  expect(whiteness.map(([white]) => white)).toEqual([255, 0]);
  expect(await pixelAt(bytes, 190, 60)).toEqual(BLUE);
  expect(await pixelAt(bytes, 10, 60)).not.toEqual(BLUE);
});

test('Kontext at Replicate is given the picture by the name that it has for it', async () => {
  const replicate = await createFakeProvider('replicate', { key: KEY });
  const { engine, begin } = await hostedWorld({
    provider: 'replicate',
    model: 'black-forest-labs/flux-kontext-pro',
    key: KEY,
    baseUrl: replicate.baseUrl,
  });
  expect(await engine.operations?.('default')).toEqual({ edit: { images: 1, mask: false, strength: false } });
  const source: Source = { operation: 'edit', images: [image], strength: 1 };
  const { bytes, ...drawn } = await begin({ prompt: 'snow', width: 200, height: 120, source }, { readInput })
    .picture;
  expect(drawn).toEqual({ width: 200, height: 120 });
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  const fields = replicate.requests[0]?.fields ?? {};
  expect(fields).toMatchObject({ prompt: 'snow', aspect_ratio: '16:9' });
  expect(fields).not.toHaveProperty('image');
  const given = `${fields.input_image}`.replace('data:image/png;base64,', '');
  expect(await pixelAt(Buffer.from(given, 'base64'), 10, 60)).toEqual(BLUE);
});
