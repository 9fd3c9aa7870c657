import { failureOf, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { MINUTE_MS, systemClock } from '@darkroom/time';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Drawing } from '../../../src/engines/engine.ts';
import { createFakeSdcpp } from '../../support/fake-sdcpp.ts';
import { createFakeWebui, type FakeWebuiOptions, picture } from '../../support/fake-webui.ts';
import { engineOn } from '../../support/webui-engine.ts';

/** One WebUI, and an engine on it. */
async function webuiWorld({ timeoutMs, ...fake }: FakeWebuiOptions & { timeoutMs?: number } = {}) {
  const webui = await createFakeWebui(fake);
  return { webui, ...engineOn([webui], { timeoutMs }) };
}

/** One stable-diffusion.cpp, and an engine on it. */
async function sdcppWorld() {
  const sdcpp = await createFakeSdcpp();
  return { sdcpp, ...engineOn([sdcpp]) };
}

const asksFor = (webui: { asked: { method: string; path: string }[] }, call: string) =>
  webui.asked.filter(({ method, path }) => `${method} ${path}` === call).length;

test('a picture is asked for with all that was said, and comes without what was written into it', async () => {
  const { webui, begin } = await webuiWorld();
  const { picture: drawn } = begin({
    prompt: 'a fox',
    seed: 9,
    steps: 12,
    cfg: 6.5,
    width: 256,
    height: 192,
  });
  const request = await webui.request();
  expect(request.body).toMatchObject({
    prompt: 'a fox',
    negative_prompt: 'blurry',
    width: 256,
    height: 192,
    steps: 12,
    seed: 9,
    cfg_scale: 6.5,
    sampler_name: 'Euler',
    save_images: false,
  });
  expect(request.body).not.toHaveProperty('override_settings');
  await request.finish();
  const { bytes, ...about } = await drawn;
  expect(about).toEqual({ width: 256, height: 192 });
  expect(Buffer.from(bytes).includes('a fox')).toBe(false);
});

test('words by which a WebUI samples several prompts at once, or pads them, are only words', async () => {
  const { webui, begin } = await webuiWorld();
  const { picture: drawn } = begin({
    prompt: `a fox${' AND a fox BREAK'.repeat(50)}`,
    negativePrompt: 'blurry BREAK BREAK, SAND and AND, A<x:y>N<x:y>D',
  });
  const request = await webui.request();
  expect(request.body).toMatchObject({
    prompt: `a fox${' and a fox break'.repeat(50)}`,
    negative_prompt: 'blurry break break, SAND and and, A<x:y> N<x:y> D',
  });
  await request.finish();
  await drawn;
});

test.each([
  [
    'weights',
    '(a fox:1.2), '.repeat(50),
    `${'(a fox:1.2), '.repeat(40)}${String.raw`\(a fox\:1.2\), `.repeat(10)}`,
  ],
  ['a bracket that nothing closes', '('.repeat(200), `${'('.repeat(120)}${String.raw`\(`.repeat(80)}`],
  ['what is escaped already', String.raw`\(fox\)`.repeat(100), String.raw`\(fox\)`.repeat(100)],
])('of %s a WebUI has no more to parse than it can in a moment', async (_what, prompt, sent) => {
  const { webui, begin } = await webuiWorld();
  const { picture: drawn } = begin({ prompt });
  const request = await webui.request();
  expect(request.body.prompt).toBe(sent);
  await request.finish();
  await drawn;
});

test('a model is chosen for one picture, by how its file name begins; the other settings stay', async () => {
  const { webui, begin } = await webuiWorld();
  const anime = begin({ workflow: 'anime' });
  const first = await webui.request();
  expect(first.body.override_settings).toEqual({ sd_model_checkpoint: 'sdxl/animagine-xl-4.0.safetensors' });
  expect(first.body.sampler_name).toBe('Euler a');
  await first.finish();
  await anime.picture;
  const named = begin({ model: 'v1-5' });
  const second = await webui.request(1);
  expect(second.body.override_settings).toEqual({ sd_model_checkpoint: 'v1-5-pruned-emaonly.safetensors' });
  await second.finish();
  await named.picture;
});

test('a model that no server has, and a workflow without one, are refused before they cost anything', async () => {
  const { engine } = await webuiWorld({ models: ['v1-5.safetensors'] });
  const ask = (workflow: Drawing['workflow'], model?: string) =>
    engine.rejection?.({ prompt: 'a fox', workflow, model });
  expect(await ask('default')).toBeUndefined();
  expect(await ask('default', 'v1-5.safetensors')).toBeUndefined();
  expect(await ask('default', 'pony')).toMatchObject({ field: 'model', allowed: ['v1-5.safetensors'] });
  expect(await ask('anime')).toMatchObject({ field: 'workflow' });
  expect(await engine.models?.('default')).toEqual(['v1-5.safetensors']);
});

test('progress and previews are asked for while it draws', async () => {
  const { webui, begin } = await webuiWorld();
  const { picture: drawn, progress } = begin();
  const request = await webui.request();
  webui.tell(0.25, await picture({ width: 64, height: 48, prompt: '' }));
  const seen = await until(() => progress.find(({ preview }) => preview), 'a preview');
  expect(seen.percent).toBe(25);
  expect(await sharp(seen.preview).metadata()).toMatchObject({ format: 'webp', width: 64, height: 48 });
  webui.tell(1);
  await until(() => progress.some(({ percent }) => percent === 99), 'all steps');
  await request.finish();
  await drawn;
});

test.each(['closing', 'lost', 'deadline'] as const)(
  'a drawing that is stopped as %s is interrupted, as nobody else could fetch its picture',
  async (reason) => {
    const { webui, begin } = await webuiWorld();
    const { picture: drawn, stop } = begin();
    const request = await webui.request();
    stop(reason);
    expect(await failureOf(drawn)).toBe(reason);
    expect(request.interrupted).toBe(true);
  },
);

test('while somebody else has it draw, a task waits; cancelled then, it leaves the other picture alone', async () => {
  const { webui, begin, clock } = await webuiWorld();
  webui.occupy(true);
  const waiting = begin();
  await until(() => clock.sleeps.length > 3, 'it waits');
  waiting.stop('lost');
  expect(await failureOf(waiting.picture)).toBe('lost');
  expect(webui.requests).toEqual([]);
  expect(asksFor(webui, 'POST /sdapi/v1/interrupt')).toBe(0);
  const patient = begin();
  webui.occupy(false);
  await (await webui.request()).finish();
  expect(await patient.picture).toMatchObject({ width: 128 });
});

test('one that has told of the same picture for five minutes is asked to draw, and so from then on', async () => {
  const { webui, begin, clock, lines } = await webuiWorld();
  webui.occupy(true);
  const from = clock.now();
  const first = begin();
  await (await webui.request()).finish();
  expect(clock.now() - from).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(await first.picture).toMatchObject({ width: 128 });
  expect(lines.filter((line) => line.includes('stands still'))).toHaveLength(1);
});

test('one picture at a time is asked of a server, and two servers share the work', async () => {
  const [one, other] = [await createFakeWebui(), await createFakeWebui()];
  const { engine, begin } = engineOn([one, other]);
  expect(engine.slots).toBe(2);
  const drawings = [begin({ seed: 1 }), begin({ seed: 2 }), begin({ seed: 3 })];
  const [first, second] = [await one.request(), await other.request()];
  expect([one.requests.length, other.requests.length]).toEqual([1, 1]);
  await first.finish();
  await (await one.request(1)).finish();
  await second.finish();
  for (const { picture: drawn } of drawings) expect(await drawn).toMatchObject({ width: 128 });
});

test('a server that dies while it draws costs one attempt, and the next one draws', async () => {
  const [one, other] = [await createFakeWebui(), await createFakeWebui()];
  const { begin } = engineOn([one, other]);
  const { picture: drawn } = begin();
  await one.request();
  await one.stop();
  await (await other.request()).finish();
  expect(await drawn).toMatchObject({ width: 128 });
});

test.each([
  ['RuntimeError', 'CUDA error: an illegal memory access was encountered'],
  ['RuntimeError', 'HIP error: unspecified launch failure'],
  ['AcceleratorError', ''],
])('a server that has lost its GPU loses its drawings to another one: %s %s', async (kind, errors) => {
  const [one, other] = [await createFakeWebui(), await createFakeWebui()];
  const { begin } = engineOn([one, other]);
  one.answer('POST /sdapi/v1/txt2img', { status: 500, body: problem(kind, errors) });
  const { picture: drawn } = begin();
  await (await other.request()).finish();
  expect(await drawn).toMatchObject({ width: 128 });
});

test.each(['interrupt', 'skip'])(
  'a picture that somebody has ended by %s is drawn anew, and not shown unfinished',
  async (call) => {
    const { webui, begin } = await webuiWorld();
    const { picture: drawn } = begin();
    const first = await webui.request();
    await fetch(`${webui.url}/sdapi/v1/${call}`, { method: 'POST' });
    expect(first.interrupted).toBe(true);
    await (await webui.request(1)).finish();
    expect(await drawn).toMatchObject({ width: 128 });
  },
);

test('a WebUI that has forgotten what it draws is asked once more, and then it is an honest failure', async () => {
  const { webui, begin } = await webuiWorld();
  const { picture: drawn, progress } = begin();
  await webui.request();
  webui.tell(0.5);
  await until(() => progress.length > 0, 'it draws');
  webui.occupy(false);
  await webui.request(1);
  await webui.stop();
  expect(await failureOf(drawn)).toMatchObject({
    name: 'DrawingError',
    message: 'The image server was lost while it was drawing, and a second attempt failed too.',
  });
});

const problem = (kind: string, errors: string, detail = '') => ({ error: kind, detail, body: '', errors });

test.each([
  [
    { status: 404, body: problem('HTTPException', '', 'Sampler not found') },
    'The image server refused this: Sampler not found',
  ],
  [
    { status: 422, body: { detail: [{ loc: ['body', 'steps'], msg: 'value is not a valid integer' }] } },
    'The image server refused this: value is not a valid integer',
  ],
  [
    { status: 500, body: problem('OutOfMemoryError', 'CUDA out of memory. Tried to allocate 8.00 GiB') },
    'The image server has too little memory for a picture of this size.',
  ],
  [
    { status: 500, body: problem('NansException', 'A tensor with NaNs in /home/ann/webui/unet.py') },
    'The image server failed: A tensor with NaNs in …',
  ],
  [
    { status: 500, body: { error: 'ValueError', detail: '', body: '', message: 'No such sampler' } },
    'The image server failed: No such sampler',
  ],
])('a refusal fails the drawing in words, without the paths of the server: %j', async (answer, words) => {
  const { webui, begin } = await webuiWorld();
  webui.answer('POST /sdapi/v1/txt2img', answer);
  expect(await failureOf(begin().picture)).toMatchObject({ name: 'DrawingError', message: words });
  expect(asksFor(webui, 'POST /sdapi/v1/interrupt')).toBe(0);
});

test.each([
  ['a user that is unknown', { status: 401, body: { detail: 'Incorrect username or password' } }],
  ['too many requests', { status: 429, body: { error: 'job queue is full' } }],
  ['a proxy without it', { status: 502, body: '<html>' }],
  ['a start without --api', { status: 404, body: { detail: 'Not Found' } }],
])('after %s it is asked again, later each time, and no attempt is lost', async (_name, answer) => {
  const { webui, begin, clock } = await webuiWorld();
  webui.answer('POST /sdapi/v1/txt2img', answer, 4);
  const { picture: drawn } = begin();
  await (await webui.request()).finish();
  expect(await drawn).toMatchObject({ width: 128 });
  expect(Math.max(...clock.sleeps)).toBeGreaterThanOrEqual(4_000);
});

test.each([502, 504, 524])(
  'a proxy that answers with %i while it is drawn costs an attempt, and what is drawn is interrupted',
  async (status) => {
    const { webui, begin } = await webuiWorld();
    const { picture: drawn, progress } = begin();
    for (const attempt of [0, 1]) {
      const request = await webui.request(attempt);
      const shown = progress.length;
      webui.tell(0.5);
      await until(() => progress.length > shown, 'it draws');
      request.cut(status);
    }
    expect(await failureOf(drawn)).toMatchObject({
      name: 'DrawingError',
      message: 'The image server was lost while it was drawing, and a second attempt failed too.',
    });
    expect(webui.requests.map(({ interrupted }) => interrupted)).toEqual([true, true]);
  },
);

test.each([
  ['that is cut', { cut: { images: ['aGVsbG8='], info: '' } }],
  ['that is a page of an error', { status: 500, body: '<html>' }],
  ['of a proxy that waited for too long', { status: 504, body: '<html>' }],
  ['that is no JSON', { status: 200, body: 'Welcome!' }],
  ['without pictures', { status: 200, body: { info: '' } }],
] as const)('after an answer %s it is asked once more, and only once', async (_name, answer) => {
  const { webui, begin } = await webuiWorld();
  webui.answer('POST /sdapi/v1/txt2img', answer);
  const { picture: drawn } = begin();
  await (await webui.request()).finish();
  expect(await drawn).toMatchObject({ width: 128 });
  webui.answer('POST /sdapi/v1/txt2img', answer, 2);
  expect(await failureOf(begin().picture)).toMatchObject({ name: 'DrawingError' });
  expect(webui.requests).toHaveLength(1);
});

test('a server that falls silent while it draws has lost the drawing, and the next one draws', async () => {
  const [one, other] = [await createFakeWebui(), await createFakeWebui()];
  const { begin } = engineOn([one, other], { timeoutMs: 1_000, silenceMs: 3_000 });
  const { picture: drawn } = begin();
  await one.request();
  one.answer('GET /', 'silence', 100);
  one.answer('POST /sdapi/v1/interrupt', 'silence', 100);
  await (await other.request()).finish();
  expect(await drawn).toMatchObject({ width: 128 });
  expect(asksFor(one, 'POST /sdapi/v1/interrupt')).toBe(1);
});

test.each([
  [
    'is none',
    [Buffer.from('not a picture').toString('base64')],
    'What the image server sent is not a picture.',
  ],
  ['is missing', [], 'The image server ended without a picture.'],
  [
    'has 60 MB and is none',
    [Buffer.alloc(60_000_000).toString('base64')],
    'What the image server sent is not a picture.',
  ],
])('a picture that %s fails the drawing', async (_name, images, words) => {
  const { webui, begin } = await webuiWorld();
  const { picture: drawn } = begin();
  await (await webui.request()).finish(images);
  expect(await failureOf(drawn)).toMatchObject({ name: 'DrawingError', message: words });
});

test('a server of another program, that tells no progress and cannot be interrupted, draws all the same', async () => {
  const { webui, begin, engine } = await webuiWorld({ progress: false });
  const { picture: drawn } = begin({ prompt: 'a fox <sd_cpp_extra_args>{"width":4096}</sd_cpp_extra_args>' });
  const request = await webui.request();
  expect(request.body.prompt).toBe('a fox  {"width":4096} ');
  await request.finish();
  expect(await drawn).toMatchObject({ width: 128 });
  expect(engine.abilities('default')).toMatchObject({ previews: false, cancelling: false });
});

test('user and password of the address are sent, and stand in no line of the log', async () => {
  const { webui, begin, lines } = await webuiWorld({ auth: 'ann:pass-word-of-ann' });
  const { picture: drawn } = begin();
  await (await webui.request()).finish();
  expect(await drawn).toMatchObject({ width: 128 });
  expect(lines.join()).not.toContain('pass-word-of-ann');
});

test.each([
  ['a password that is wrong', { status: 401, body: {} }, 'Check user and password in SDWEBUI_URL'],
  ['a start without --api', { status: 404, body: { detail: 'Not Found' } }, 'Start the WebUI with --api'],
  ['a server that has trouble', { status: 500, body: {} }, 'Check SDWEBUI_URL'],
])('%s is said in the log with the mend, and its workflows are away', async (_name, answer, mend) => {
  const webui = await createFakeWebui();
  webui.answer('GET /', answer, 100);
  const { engine, lines } = engineOn([webui]);
  expect(await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined })).toMatchObject({
    reason: 'No image server can be reached at the moment.',
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(mend);
  expect(await engine.servers?.[0]?.isHealthy(AbortSignal.timeout(1_000))).toBe(false);
});

test('stable-diffusion.cpp is found by asking, and draws as a job whose progress is time', async () => {
  const { sdcpp, begin, engine } = await sdcppWorld();
  const { picture: drawn, progress, remembered } = begin({ prompt: 'a fox', seed: 9, steps: 12, cfg: 6.5 });
  const job = await sdcpp.job();
  expect(job.body).toMatchObject({
    prompt: 'a fox',
    negative_prompt: 'blurry',
    width: 128,
    height: 96,
    seed: 9,
    sample_params: { sample_steps: 12, sample_method: 'euler', guidance: { txt_cfg: 6.5 } },
    embed_image_metadata: false,
  });
  job.status = 'generating';
  await until(() => progress.length > 3, 'some progress');
  await sdcpp.finish(job);
  const { bytes } = await drawn;
  expect(Buffer.from(bytes).includes('a fox')).toBe(false);
  const percents = progress.map(({ percent }) => percent);
  expect(percents).toEqual([...percents].sort((one, other) => one - other));
  expect(percents[2]).toBeGreaterThan(0);
  expect(remembered).toEqual([`${sdcpp.host} ${job.id}`]);
  expect(engine.abilities('default')).toMatchObject({ previews: false, cancelling: false });
});

test('a job of an earlier process is followed; one that its server does not know is asked for anew', async () => {
  const { sdcpp, begin } = await sdcppWorld();
  const first = begin();
  const job = await sdcpp.job();
  await until(() => first.remembered.length > 0, 'the job is remembered');
  first.stop('closing');
  expect(await failureOf(first.picture)).toBe('closing');
  expect(job.status).toBe('queued');
  await sdcpp.finish(job);
  const [remembered] = first.remembered;
  expect(await begin({}, { remembered }).picture).toMatchObject({ width: 128 });
  expect(sdcpp.jobs).toHaveLength(1);
  sdcpp.forget();
  const anew = begin({}, { remembered });
  await sdcpp.finish(await sdcpp.job());
  expect(await anew.picture).toMatchObject({ width: 128 });
});

test.each([
  ['queued', 'cancelled'],
  ['generating', 'generating'],
] as const)('a job that is given up while it is %s is %s then', async (before, after) => {
  const { sdcpp, begin } = await sdcppWorld();
  const { picture: drawn, stop, remembered } = begin();
  const job = await sdcpp.job();
  job.status = before;
  await until(() => remembered.length > 0, 'the job is remembered');
  stop('deadline');
  expect(await failureOf(drawn)).toBe('deadline');
  expect(job.status).toBe(after);
});

test.each([
  ['lost', 'cancelled'],
  ['closing', 'queued'],
] as const)(
  'a job whose drawing is stopped as %s while it is remembered is %s then',
  async (reason, after) => {
    const { sdcpp, begin } = await sdcppWorld();
    const { picture: drawn, stop } = begin(
      {},
      {
        async remember() {
          stop(reason);
          throw new Error('the run does not hold its task any more');
        },
      },
    );
    await failureOf(drawn);
    expect((await sdcpp.job()).status).toBe(after);
  },
);

test('a drawing that is stopped while it waits for the next poll is stopped for the reason that was given', async () => {
  const sdcpp = await createFakeSdcpp();
  const { begin } = engineOn([sdcpp], { clock: systemClock, pollMs: WAIT_TIMEOUT_MS });
  const { picture: drawn, stop } = begin();
  const job = await sdcpp.job();
  await until(() => sdcpp.asked.some(({ path }) => path.endsWith(job.id)), 'the first poll');
  stop('lost');
  expect(await failureOf(drawn)).toBe('lost');
});

test('a drawing that is stopped while nobody knows whether its server is there ends at once', async () => {
  const webui = await createFakeWebui();
  webui.answer('GET /', 'silence', 100);
  const { begin } = engineOn([webui], { timeoutMs: 2 * WAIT_TIMEOUT_MS });
  const { picture: drawn, stop } = begin();
  await until(() => webui.asked[0], 'the first call');
  let reason: unknown;
  void failureOf(drawn).then((failure) => {
    reason = failure;
  });
  stop('closing');
  expect(await until(() => reason, 'the end of the drawing')).toBe('closing');
});

test('a job that fails fails the drawing, and a full queue is waited for', async () => {
  const { sdcpp, begin } = await sdcppWorld();
  sdcpp.answer('POST /sdcpp/v1/img_gen', { status: 429, body: { error: 'job queue is full' } }, 3);
  const { picture: drawn } = begin();
  const job = await sdcpp.job();
  Object.assign(job, {
    status: 'failed',
    error: { code: 'generation_failed', message: 'generate_image returned empty results' },
  });
  expect(await failureOf(drawn)).toMatchObject({
    name: 'DrawingError',
    message: 'The image server failed: generate_image returned empty results',
  });
});
