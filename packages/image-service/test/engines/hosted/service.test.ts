import { createImageClient } from '@darkroom/image-api';
import { captureLog, contents, expectNoSecrets, silentLog } from '@darkroom/testing';
import { type Clock, systemClock } from '@darkroom/time';
import { createFakeClock, createFastClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { createHostedEngine } from '../../../src/engines/hosted/engine.ts';
import { createPrometheus } from '../../../src/observability/prometheus.ts';
import { pngOf } from '../../support/brought-pictures.ts';
import { drawingOf, drawOptions } from '../../support/drawings.ts';
import { createFakeOpenai, OPENAI_KEY, openaiRefusal } from '../../support/fake-openai.ts';
import { createFakeProvider } from '../../support/fake-providers.ts';
import { createServiceWorld, problemOf, serviceWorld } from '../../support/service.ts';
import { serviceBySettings } from '../../support/service-by-settings.ts';
import { testStorage } from '../../support/storage.ts';

const engineOn = ({ baseUrl }: { baseUrl: string }, key = OPENAI_KEY, log = silentLog()) =>
  createHostedEngine({
    provider: 'openai',
    model: 'gpt-image-2.6-flare',
    key,
    baseUrl,
    clock: systemClock,
    log,
  });

test('what a model makes nothing of is told before the picture is paid for, in a size that it has', async () => {
  const openai = await createFakeOpenai();
  const world = await serviceWorld({ engine: await engineOn(openai) });
  const answer = await world.submit({ prompt: 'a fox', width: 1200, height: 700, seed: 7, steps: 9 });
  const { data } = JSON.parse(await answer.text());
  expect(data.warnings).toEqual([
    'steps has no effect in the workflow default',
    'seed has no effect in the workflow default',
    'pictures are drawn in 1024 × 1024, 1536 × 1024, 1024 × 1536 pixels here: this picture has 1536 × 1024 pixels',
  ]);
  expect(await world.until(data.id)).toMatchObject({ status: 'completed' });
  expect(openai.requests).toMatchObject([{ size: '1536x1024' }]);
  expect(await world.balance()).toBe(99);
  const usual = await world.submit({ prompt: 'a fox' });
  expect(JSON.parse(await usual.text()).data.warnings).toBeUndefined();
});

test('what a model makes nothing of is told for each that a workflow names', async () => {
  const { baseUrl, model } = await createFakeProvider('fal', { key: OPENAI_KEY });
  const { ask } = await serviceBySettings({
    HOSTED_MODEL: `fal:${model}`,
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: baseUrl,
    SERVICE_WORKFLOWS: '{"photo": {"engine": "hosted", "model": "fal-ai/stable-diffusion-v35-large"}}',
  });
  const warningsOf = async (workflow: string) => {
    const body = { prompt: 'a fox', workflow, steps: 9, width: 1024, height: 1024 };
    const path = '/v1/index.php?endpoint=dry_run';
    return JSON.parse(await ask(path, { method: 'POST', body: JSON.stringify(body) })).data.warnings;
  };
  expect(await warningsOf('default')).toEqual(['steps has no effect in the workflow default']);
  expect(await warningsOf('photo')).toEqual([]);
});

/** stable-diffusion.cpp's server, which was away when its engine was opened, and for `more` questions after that. */
async function lateServer({
  more = 0,
  clock = createFastClock({ factor: 100 }),
}: {
  more?: number;
  clock?: Clock;
} = {}) {
  const openai = await createFakeOpenai({ sdcpp: true });
  // Each is tried four times.
  openai.answerAboutServer(...Array.from({ length: 4 * (1 + more) }, () => ({ status: 503 })));
  const engine = await createHostedEngine({
    provider: 'openai-compatible',
    model: 'sd-turbo',
    key: OPENAI_KEY,
    baseUrl: openai.baseUrl,
    clock,
    log: silentLog(),
  });
  const questions = () => openai.asked.filter(({ path }) => path === '/sdcpp/v1/capabilities').length / 4;
  return { openai, engine, questions };
}

test('what a server can that was away at the start is known to the first submission after that', async () => {
  const { openai, engine } = await lateServer();
  const world = await serviceWorld({ engine });
  const answer = await world.submit({ prompt: 'a fox', seed: 7, steps: 9 });
  const { data } = JSON.parse(await answer.text());
  expect([data.seed, data.warnings]).toEqual([7, undefined]);
  await world.until(data.id);
  expect(openai.requests[0]?.prompt).toMatch(/"seed":7,.*"sample_steps":9/);
});

test('the first edit at a server that was away at the start is taken', async () => {
  const { engine } = await lateServer();
  const world = await serviceWorld({ engine });
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  const { id } = await client.upload(await pngOf(64, 64), { apiKey: world.key });
  const task = await world.submitted({ prompt: 'in the snow', operation: 'edit', image: `upload:${id}` });
  expect(await world.until(task)).toMatchObject({ status: 'completed' });
});

test('a server that does not say what it can is asked again after half a minute, and nobody waits for that', async () => {
  const clock = createFakeClock({ jumps: true });
  const { engine, questions } = await lateServer({ more: 1, clock });
  onTestFinished(engine.close);
  const submission = () => engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined });
  const effects = () => engine.abilities('default')?.effects;
  for (let more = 0; more < 5; more++) await submission();
  expect([questions(), effects()]).toEqual([2, []]);
  await clock.suspend(30_000);
  await submission();
  expect(effects()).toEqual([]);
  await expect.poll(effects).toContain('seed');
});

test('a picture that was refused while its server was away is drawn from its own seed', async () => {
  const { openai, engine } = await lateServer({ more: 1 });
  onTestFinished(engine.close);
  openai.answer({ status: 503 });
  await engine.draw(drawingOf({ prompt: 'a fox', seed: 9, width: 64, height: 64 }), drawOptions());
  expect(openai.requests.map(({ prompt }) => prompt.includes('"seed":9'))).toEqual([false, true]);
});

test('a task that was submitted before its server was ever reached is drawn from its own seed', async () => {
  const { openai, engine } = await lateServer();
  onTestFinished(engine.close);
  const drawing = drawingOf({ prompt: 'a fox', seed: 9, width: 64, height: 64 });
  await engine.draw(drawing, drawOptions());
  expect(openai.requests[0]?.prompt).toContain('"seed":9');
});

test('a refusal by the content policy fails the task with its reason, and costs nothing', async () => {
  const openai = await createFakeOpenai();
  const world = await serviceWorld({ engine: await engineOn(openai) });
  openai.answer(openaiRefusal(400, 'moderation_blocked', 'Rejected by the safety system.'));
  expect(await world.until(await world.submitted({ prompt: 'a fox' }))).toMatchObject({
    status: 'failed',
    error: 'OpenAI refused this: Rejected by the safety system.',
  });
  expect(await world.balance()).toBe(100);
});

test('what a provider draws and withholds costs its whole price, as it costs the operator', async () => {
  const fal = await createFakeProvider('fal', { key: OPENAI_KEY });
  const engine = await createHostedEngine({
    provider: 'fal',
    model: fal.model,
    key: OPENAI_KEY,
    baseUrl: fal.baseUrl,
    clock: systemClock,
    log: silentLog(),
  });
  const world = await serviceWorld({ engine, pictureCost: 0.04, price: () => 3 });
  const images = [{ url: `http://${fal.host}/picture.png`, width: 1_248, height: 832 }];
  fal.answerPicture({ status: 200, body: { images, has_nsfw_concepts: [true] } });
  expect(await world.until(await world.submitted({ prompt: 'a bear' }))).toMatchObject({
    status: 'failed',
    error_code: 'drawing_failed',
    error: 'fal censored this picture. It costs its whole price, as if it had been shown.',
    cost: 3,
  });
  expect(await world.balance()).toBe(97);
  fal.answerPicture(fal.refused(422, 'Not this prompt.'));
  expect(await world.until(await world.submitted({ prompt: 'a bear' }))).toMatchObject({
    error: 'fal refused this: Not this prompt.',
    cost: 0,
  });
  expect(await world.balance()).toBe(97);
});

test('a service that stops while a picture is drawn waits for it, as it is paid for', async () => {
  const openai = await createFakeOpenai();
  const storage = await testStorage();
  const limits = { leaseMs: 3_000 };
  const before = await createServiceWorld({ storage, limits, engine: await engineOn(openai) });
  const answered = openai.hold();
  const id = await before.submitted({ prompt: 'a fox' });
  await openai.request();
  const closed = before.close();
  // Its lease goes on meanwhile, so that others leave it alone.
  const after = await serviceWorld({ storage, limits, engine: await engineOn(openai) });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const leaseUntil = async () =>
    Number((await db.selectFrom('tasks').select('leaseUntil').executeTakeFirstOrThrow()).leaseUntil);
  const first = await leaseUntil();
  await expect.poll(leaseUntil).toBeGreaterThan(first + limits.leaseMs);
  answered();
  await closed;
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(openai.requests).toHaveLength(1);
  expect(await after.balance(before.key)).toBe(99);
});

test('a stop does not wait for a provider that refuses for now: the next start asks again', async () => {
  const openai = await createFakeOpenai();
  const storage = await testStorage();
  const before = await createServiceWorld({ storage, engine: await engineOn(openai) });
  openai.answer(openaiRefusal(429, 'rate_limit_exceeded', 'Slow', { 'retry-after': '60' }));
  const answered = openai.hold();
  const id = await before.submitted({ prompt: 'a fox' });
  await openai.request();
  const closed = before.close();
  answered();
  await closed;
  const after = await serviceWorld({ storage, engine: await engineOn(openai) });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(openai.requests).toHaveLength(2);
});

test('a stop does not wait for long: what the provider has not answered then is not asked again, and costs no credits', async () => {
  const openai = await createFakeOpenai();
  const storage = await testStorage();
  const limits = { finishMs: 200 };
  const before = await createServiceWorld({ storage, limits, engine: await engineOn(openai) });
  openai.answer('silence');
  const id = await before.submitted({ prompt: 'a fox' });
  await openai.request();
  await before.close();
  const after = await serviceWorld({ storage, engine: await engineOn(openai) });
  expect(await after.until(id, undefined, before.key)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Whether it charges for that cannot be known'),
  });
  expect(openai.requests).toHaveLength(1);
  expect(await after.balance(before.key)).toBe(100);
});

test('with a key that is refused nothing is taken, and /readyz says so', async () => {
  const openai = await createFakeOpenai();
  const world = await serviceWorld({ engine: await engineOn(openai, 'sk-proj-of-nobody') });
  const readyz = async () => {
    const answer = await world.call('/readyz');
    return { status: answer.status, text: await answer.text() };
  };
  const told = expect.stringContaining('OpenAI does not accept the key of this service.');
  await expect.poll(readyz).toEqual({ status: 503, text: told });
  expect((await readyz()).text).not.toContain('sk-proj-of-nobody');
  const refused = await world.submit({ prompt: 'a fox' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await problemOf(refused)).toMatchObject({ code: 'engine_unavailable' });
  expect(await world.balance()).toBe(100);
});

test('HOSTED_MODEL is the one setting that it takes, beside a key', async () => {
  const openai = await createFakeOpenai();
  await serviceBySettings({
    HOSTED_MODEL: 'openai-compatible:sd-turbo',
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: openai.baseUrl,
  });
  expect(await openai.request()).toMatchObject({ model: 'sd-turbo', prompt: 'a fox', size: '512x512' });
});

test('the key stands nowhere, though the provider repeats it', async () => {
  const openai = await createFakeOpenai();
  const { log, lines } = captureLog();
  const world = await serviceWorld({
    engine: await engineOn(openai, OPENAI_KEY, log),
    prometheus: createPrometheus(),
  });
  const echo = `Nobody may draw with ${OPENAI_KEY}, nor with Bearer ${OPENAI_KEY}.`;
  openai.answer(openaiRefusal(400, 'moderation_blocked', echo), { status: 200, body: echo }, { cut: {} });
  const answers = [];
  for (let more = 0; more < 3; more++)
    answers.push(await world.until(await world.submitted({ prompt: 'a fox' })));
  openai.answer(openaiRefusal(403, 'forbidden', echo));
  await world.submitted({ prompt: 'a fox' });
  await expect.poll(() => lines.join()).toContain('Check HOSTED_API_KEY');
  const outside = ['/readyz', '/metrics', '/v1/index.php?endpoint=capabilities'];
  for (const path of outside) answers.push(await (await world.call(path)).text());
  expect(JSON.stringify(answers)).toContain('OpenAI refused this: Nobody may draw with …');
  expectNoSecrets([OPENAI_KEY], {
    answers: JSON.stringify(answers),
    'log of the engine': lines.join('\n'),
    'log of the service': world.lines.join('\n'),
    'files and database': await contents(world.folder),
  });
});
