import { failureOf } from '@darkroom/testing';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { DrawingError } from '../../../src/engines/engine.ts';
import { PROVIDERS } from '../../../src/engines/hosted/providers.ts';
import { createFakeMachine } from '../../support/fake-machine.ts';
import { createFakeProvider, FAKED_PROVIDERS } from '../../support/fake-providers.ts';
import { hostedEngine } from '../../support/hosted-engine.ts';
import { startService } from '../../support/service-process.ts';
import { testStorage } from '../../support/storage.ts';
import { withoutPackage } from '../../support/without-package.ts';

const KEY = 'key-of-somebody-at-a-provider';

describe.each(FAKED_PROVIDERS)('%s', (provider) => {
  const { title } = PROVIDERS[provider];

  async function world({ key = KEY, callMs }: { key?: string; callMs?: number } = {}) {
    const fake = await createFakeProvider(provider, { key: KEY });
    const { baseUrl, model } = fake;
    const engine = await hostedEngine({
      provider,
      model,
      key,
      baseUrl,
      ...(callMs !== undefined && { callMs }),
    });
    const times = () => fake.asked.filter(({ method }) => method === 'POST').length;
    return { fake, times, ...engine };
  }

  test('draws a picture, which comes without what was written into it', async () => {
    const { fake, begin, engine } = await world();
    const { picture, remembered } = begin({ prompt: 'a fox', width: 1248, height: 832, seed: 7 });
    const { bytes, ...drawn } = await picture;
    expect(drawn).toEqual({ width: 1248, height: 832 });
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
    const takesSeed = engine.abilities('default')?.effects.includes('seed');
    const fields = { prompt: 'a fox', ...(takesSeed && { seed: 7 }) };
    expect(fake.requests).toMatchObject([{ model: fake.model, fields }]);
    expect(remembered).toEqual(['asked']);
  });

  test('draws with the largest seed that there may be', async () => {
    const { begin } = await world();
    const { picture } = begin({ width: 1248, height: 832, seed: Number.MAX_SAFE_INTEGER });
    expect(await picture).toMatchObject({ width: 1248 });
  });

  test('refuses a picture in its own words, and is asked for it once', async () => {
    const { fake, begin, times } = await world();
    fake.answerPicture(fake.refused(422, 'This prompt is against our policy.'));
    const { picture, remembered } = begin();
    const failure = await failureOf(picture);
    expect(failure).toBeInstanceOf(DrawingError);
    expect(failure).toMatchObject({ message: `${title} refused this: This prompt is against our policy.` });
    expect([times(), remembered]).toEqual([1, ['asked', '']]);
  });

  test('does not accept a key: the engine stops, and one line of the log says what mends it', async () => {
    const key = 'key-of-nobody-at-all';
    const { begin, times, engine, lines, health } = await world({ key });
    const { picture, stop } = begin();
    await expect.poll(times).toBeGreaterThan(1);
    const reason = `${title} does not accept the key of this service.`;
    // Where nothing but a picture can tell, it holds for 30 s after each attempt, which are 60 ms here.
    await expect
      .poll(() => engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined }))
      .toMatchObject({ reason });
    await expect.poll(health).toBe(false);
    stop('deadline');
    await failureOf(picture);
    expect(lines.filter((line) => line.includes('Check HOSTED_API_KEY'))).toHaveLength(1);
    expect(lines.join()).not.toContain(key);
  });

  test.each([
    ['429', 429, {}, 2_000],
    ['429 with Retry-After', 429, { 'retry-after': '37' }, 37_000],
    ['500', 500, {}, 2_000],
  ])('is asked again after %s, and later', async (_, status, headers, leastMs) => {
    const { fake, begin, times, waits } = await world();
    const answer = { ...Object(fake.refused(status, 'Not now.')), headers };
    fake.answerPicture(answer, answer);
    const { picture, remembered } = begin();
    await picture;
    expect([times(), remembered]).toEqual([3, ['asked', '', 'asked', '', 'asked']]);
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(leastMs);
  });

  test.each([
    ['none', 'silence', /has not answered it/],
    ['one that is cut', { cut: { data: 'A'.repeat(1_000) } }, /has not answered it/],
    ['one that is no JSON', { status: 200, body: '<html>' }, /without a picture that can be read/],
  ] as const)(
    'gives no answer that can be used, %s: that may be charged, and is not asked again',
    async (_, answer, words) => {
      const { fake, begin, times } = await world(answer === 'silence' ? { callMs: 500 } : {});
      fake.answerPicture(answer);
      const { picture, remembered } = begin();
      expect(await failureOf(picture)).toMatchObject({ message: expect.stringMatching(words) });
      await expect(picture).rejects.toThrow('Whether it charges for that cannot be known');
      // Where 500 ms are over before anything is sent, it is sent once more.
      expect(remembered.at(-1)).toBe('asked');
      await expect.poll(times).toBe(1);
    },
  );

  test.each([
    ['that is none', 'a fox in words'],
    ['of 61 MB', Buffer.alloc(61 * 1024 ** 2)],
  ])('sends a picture %s: that may be charged, and is not asked again', async (_, bytes) => {
    const { fake, begin, times } = await world();
    fake.draw(Buffer.from(bytes));
    const { picture, remembered } = begin();
    await expect(picture).rejects.toThrow('Whether it charges for that cannot be known');
    expect([times(), remembered]).toEqual([1, ['asked']]);
  });
});

test('a drawing that Replicate answers before it is done is followed to its end', async () => {
  const fake = await createFakeProvider('replicate', { key: KEY });
  const { baseUrl, model, host } = fake;
  const { begin } = await hostedEngine({ provider: 'replicate', model, key: KEY, baseUrl });
  const path = '/v1/predictions/one';
  const at = (status: string, more = {}) => ({
    status: 201,
    body: { id: 'one', status, output: null, urls: { get: `http://${host}${path}` }, ...more },
  });
  fake.answerPicture(at('starting'));
  fake.answer(`GET ${path}`, at('processing'));
  fake.answer(`GET ${path}`, at('succeeded', { output: [`http://${host}/picture.png`] }));
  expect(await begin({ width: 1248, height: 832 }).picture).toMatchObject({ width: 1248 });
  fake.answerPicture(at('processing'));
  fake.answer(`GET ${path}`, at('failed', { error: 'NSFW content detected' }));
  const { picture, remembered } = begin();
  await expect(picture).rejects.toThrow(
    'Replicate refused this: NSFW content detected. It costs its whole price',
  );
  expect(remembered).toEqual(['asked']);
  expect(fake.asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
  fake.answerPicture(at('failed', { error: 'CUDA out of memory' }));
  await expect(begin().picture).rejects.toThrow(/^Replicate refused this: CUDA out of memory$/);
});

test.each([
  ['an address', (url: string) => url],
  ['an address that leads on', (_: string, own: string) => `${own}/moved`],
])(
  '%s, which a model names as its picture, leads nowhere in the network of the service',
  async (_, named) => {
    const inside = await createFakeMachine(() => ({ status: 200, body: 'a secret' }));
    const fake = await createFakeProvider('replicate', { key: KEY });
    const { baseUrl, model } = fake;
    const { begin, lines } = await hostedEngine({ provider: 'replicate', model, key: KEY, baseUrl });
    const url = `http://${inside.host}/latest/meta-data`;
    fake.answer('GET /moved', { status: 302, headers: { location: url } }, 9);
    const output = named(url, `http://${fake.host}`);
    fake.answerPicture({ status: 201, body: { id: 'prediction', status: 'succeeded', output } });
    const message = expect.stringContaining('without a picture that can be read');
    expect(await failureOf(begin().picture)).toMatchObject({ message });
    expect(inside.asked).toEqual([]);
    expect(lines.join()).not.toContain('a secret');
  },
);

test('a picture in the network of the service is fetched from an origin that its operator has named', async () => {
  const { baseUrl: pictures } = await createFakeProvider('fal', { key: KEY });
  const fake = await createFakeProvider('replicate', { key: KEY });
  const { baseUrl, model } = fake;
  const settings = { provider: 'replicate', model, key: KEY, baseUrl, pictureOrigins: [pictures] } as const;
  const { begin } = await hostedEngine(settings);
  const output = `${pictures}/picture.png`;
  fake.answerPicture({ status: 201, body: { id: 'prediction', status: 'succeeded', output } });
  expect(await begin({ width: 1248, height: 832 }).picture).toMatchObject({ width: 1248 });
});

test.each(['Request Moderated', 'Content Moderated'])(
  'what Black Forest Labs refuses while it is drawn is told at once: %s',
  async (status) => {
    const fake = await createFakeProvider('black-forest-labs', { key: KEY });
    const { baseUrl, model } = fake;
    const { begin } = await hostedEngine({ provider: 'black-forest-labs', model, key: KEY, baseUrl });
    fake.answer('GET /v1/get_result', { status: 200, body: { id: 'task', status, result: null } });
    await expect(begin().picture).rejects.toThrow(
      `Black Forest Labs refused this: ${status}. It costs its whole price`,
    );
    expect(fake.asked.filter(({ path }) => path.startsWith('/v1/get_result'))).toHaveLength(1);
  },
);

test("Google's limit of a minute is waited out as it says, and is nobody's credit", async () => {
  const fake = await createFakeProvider('google', { key: KEY });
  const { baseUrl, model } = fake;
  const { begin, engine, waits, lines } = await hostedEngine({
    provider: 'google',
    model,
    key: KEY,
    baseUrl,
  });
  const error = {
    code: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel', quotaValue: '10' }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' },
    ],
  };
  fake.answerPicture({ status: 429, body: { error } });
  expect(await begin({ width: 1248, height: 832 }).picture).toMatchObject({ width: 1248 });
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(37_000);
  expect(lines.join()).not.toContain('Top it up');
  expect(
    await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined }),
  ).toBeUndefined();
});

test('a package that is missing is named with the command that installs it', async () => {
  const service = startService(await testStorage(), {
    HOSTED_MODEL: 'fal:fal-ai/flux/dev',
    HOSTED_API_KEY: KEY,
    NODE_OPTIONS: withoutPackage('@ai-sdk/fal'),
  });
  expect(await service.ended).toMatchObject({ code: 1 });
  expect(service.output()).toContain(
    'HOSTED_MODEL: the package @ai-sdk/fal is not installed: npm install --no-save ai@6 @ai-sdk/fal@2 (with Docker Compose: PACKAGES="ai@6 @ai-sdk/fal@2" in .env, then docker compose up -d --build)',
  );
});

test.each([
  ['OPENAI_API_KEY', 'openai', 'gpt-image-2.6-flare'],
  ['FAL_API_KEY', 'fal', 'fal-ai/flux/dev'],
  ['GOOGLE_GENERATIVE_AI_API_KEY', 'google', 'gemini-3.1-flash-image'],
  ['TOGETHER_API_KEY', 'togetherai', 'black-forest-labs/FLUX.1-schnell'],
] as const)(
  'a key that is missing is named by its setting, and by the provider’s own: %s',
  async (name, provider, model) => {
    await expect(hostedEngine({ provider, model, key: undefined, baseUrl: undefined })).rejects.toThrow(
      new RegExp(`^HOSTED_API_KEY: missing; .* or in ${name}$`),
    );
  },
);
