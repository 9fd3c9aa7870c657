import { envelope, graphTaskQueued, rr3TaskQueued } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import type { Price } from '../src/ledger/price.ts';
import { controlledEngine, endlessEngine } from './support/engines.ts';
import { body, problemOf, serviceWorld } from './support/service.ts';
import { webhookReceiver } from './support/webhook-receiver.ts';

for (const workflow of [undefined, 'default', 'anime', 'z-image']) {
  test(`a submission to ${workflow ?? 'no'} workflow is queued under a UUID, with word of webhooks`, async () => {
    const world = await serviceWorld();
    const answer = await world.submit({ prompt: 'a red fox in the snow', workflow });
    expect(answer.status).toBe(200);
    const { data } = await body(answer, envelope(graphTaskQueued.strict()));
    expect(data.message).toMatch(/or name a webhook/);
    const task = await world.until(data.id);
    expect(task.status).toBe('completed');
  });
}

test('a submission to rr3 is queued under digits, with where to ask', async () => {
  const world = await serviceWorld();
  const { data } = await body(
    await world.submit({ prompt: 'a red fox', workflow: 'rr3' }),
    envelope(rr3TaskQueued.strict()),
  );
  expect(Number(data.id)).toBeLessThan(Number.MAX_SAFE_INTEGER);
  expect(data.check_status).toBe(`?endpoint=task_status&task_id=${data.id}`);
  const answer = await world.call(`/v1/index.php${data.check_status}`);
  expect(answer.status).toBe(200);
});

test('what a submission leaves open is decided before it is drawn', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  await world.submitted({ prompt: 'a fox' });
  await world.submitted({ prompt: 'a fox', workflow: 'anime' });
  await world.submitted({ prompt: 'a fox', workflow: 'z-image' });
  await world.submitted({ prompt: 'a fox', workflow: 'rr3' });
  const drawings = [];
  for (let taken = 0; taken < 4; taken++) drawings.push((await engine.next()).requested);
  expect(
    drawings.map(({ workflow, steps, cfg, width, height }) => [workflow, steps, cfg, width, height]),
  ).toEqual([
    ['default', 20, 7, 512, 512],
    ['anime', 20, 6, 512, 512],
    ['z-image', 8, 1, 512, 512],
    ['rr3', 20, 7, 512, 512],
  ]);
  for (const { seed, negativePrompt } of drawings) {
    expect(seed).toBeGreaterThanOrEqual(0);
    expect(seed).toBeLessThan(2 ** 32);
    expect(negativePrompt).toContain('watermark');
  }
});

test('numbers as text, nulls and unknown parameters are taken as they are meant', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  await world.submitted({
    prompt: 'a fox',
    width: '640',
    height: 333,
    steps: '4',
    seed: '17',
    cfg: null,
    workflow: null,
    model: null,
    style: 'oil',
  });
  const { requested } = await engine.next();
  expect(requested).toMatchObject({ workflow: 'default', width: 640, height: 333, steps: 4, seed: 17 });
  expect(requested).not.toHaveProperty('style');
});

test('a seed of -1 is drawn by the service and told', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const answer = await world.submit({ prompt: 'a fox', seed: -1 });
  const { data } = await body(answer, envelope(graphTaskQueued));
  expect((await engine.next()).requested.seed).toBe(data.seed);
});

test('a parameter that has no effect in a workflow comes back as a warning', async () => {
  const world = await serviceWorld();
  const answer = await world.submit({
    prompt: 'a fox',
    workflow: 'z-image',
    cfg: 9,
    negative_prompt: 'grey',
  });
  const { data } = await body(answer, envelope(graphTaskQueued));
  expect(data.warnings).toEqual([
    'negative_prompt has no effect in the workflow z-image',
    'cfg has no effect in the workflow z-image',
  ]);
});

test('a complete graph says itself what it costs and which seed it has; what is said beside it has no effect', async () => {
  const price: Price = ({ pixels, steps }) => (pixels * steps) / 1_000_000;
  const world = await serviceWorld({ price });
  const prompt = {
    '1': { class_type: 'EmptyLatentImage', inputs: { width: 1000, height: 500, batch_size: 1 } },
    '2': { class_type: 'KSampler', inputs: { seed: 77, steps: 10, latent_image: ['1', 0] } },
  };
  const answer = await world.submit({ prompt, width: 64, seed: 5 });
  expect((await body(answer, envelope(graphTaskQueued))).data).toMatchObject({
    cost: 5,
    seed: 77,
    warnings: ['width has no effect beside a complete graph', 'seed has no effect beside a complete graph'],
  });
});

test('a complete graph costs what all of its samplers and latents do, not the first of them', async () => {
  const price: Price = ({ pixels, steps }) => pixels / 1_000 + steps;
  const world = await serviceWorld({ price });
  const prompt = {
    decoyLatent: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
    decoy: { class_type: 'KSampler', inputs: { seed: 1, steps: 1, latent_image: ['decoyLatent', 0] } },
    latent: { class_type: 'EmptyLatentImage', inputs: { width: 100, height: 100, batch_size: 3 } },
    sampler: { class_type: 'KSampler', inputs: { seed: 2, steps: 40, latent_image: ['latent', 0] } },
  };
  const answer = await world.submit({ prompt });
  expect((await body(answer, envelope(graphTaskQueued))).data.cost).toBe(64 ** 2 / 1_000 + 30 + 41);
});

test('a seed that a complete graph does not say is not made up', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const prompt = { save: { class_type: 'SaveImage', inputs: { images: ['elsewhere', 0] } } };
  const { data } = await body(await world.submit({ prompt }), envelope(graphTaskQueued));
  expect(data).not.toHaveProperty('seed');
  expect(await world.until(data.id, () => true)).not.toHaveProperty('seed');
  await (await engine.next()).finish();
  expect(await world.until(data.id)).not.toHaveProperty('seed');
  const again = await world.submitted({ prompt });
  const { requested } = await engine.next();
  expect(requested).toMatchObject({ taskId: again, seed: engine.begun[0]?.seed });
});

test('a complete graph reaches the engine as it is', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const graph = {
    3: { class_type: 'KSampler', inputs: { seed: 5, model: ['4', 0] }, _meta: { title: 'Sampler' } },
  };
  await world.submitted({ prompt: graph });
  expect((await engine.next()).requested.prompt).toEqual(graph);
});

test('a graph that is nested without end is refused, and those who submit beside it are not concerned', async () => {
  const world = await serviceWorld();
  const other = await world.addAccount();
  const nested = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
  const deep = world.call('/v1/index.php?endpoint=image_generation', {
    method: 'POST',
    body: `{"prompt":{"1":{"class_type":"KSampler","inputs":{"seed":${nested}}}}}`,
    headers: { 'x-api-key': world.key, 'content-type': 'application/json' },
  });
  const good = Array.from({ length: 8 }, () => world.submit({ prompt: 'a fox' }, other.key));
  expect((await Promise.all(good)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  const refused = await deep;
  expect([refused.status, (await problemOf(refused)).code]).toEqual([400, 'graph_not_supported']);
});

const graphWith = (inputs: Record<string, unknown>) => ({ '1': { class_type: 'KSampler', inputs } });
test.each<[string, object, string]>([
  [
    'of too many nodes',
    Object.fromEntries(
      Array.from({ length: 201 }, (_, id) => [`${id}`, { class_type: 'EmptyImage', inputs: {} }]),
    ),
    'at most 200 nodes; this one has 201',
  ],
  [
    'with a text of more than 10,000 characters',
    graphWith({ text: 'x'.repeat(10_001) }),
    'at most 10000 characters',
  ],
  [
    'with a list that holds a text of more than 10,000 characters',
    graphWith({ texts: [['x'.repeat(10_001)]] }),
    'at most 10000 characters',
  ],
  [
    'with a class that is a book',
    { '1': { class_type: 'x'.repeat(10_001), inputs: {} } },
    'at most 10000 characters',
  ],
  [
    'with a seed that JSON does not carry exactly',
    graphWith({ seed: 2 ** 64 }),
    'at most 9007199254740991, because the digits',
  ],
])('a graph %s is refused before it costs anything', async (_name, prompt, words) => {
  const world = await serviceWorld();
  const refused = await problemOf(await world.submit({ prompt }));
  expect(refused).toMatchObject({ code: 'graph_not_supported', details: { field: 'prompt' } });
  expect(refused.message).toContain(words);
  expect(await world.balance()).toBe(100);
});

test('a graph of as many nodes, as long texts and as large a seed as there may be is taken', async () => {
  const world = await serviceWorld();
  const inputs = { text: 'x'.repeat(10_000), seed: Number.MAX_SAFE_INTEGER };
  const nodes = Array.from({ length: 199 }, (_, id) => [`${id}`, { class_type: 'EmptyImage', inputs: {} }]);
  const prompt = { ...Object.fromEntries(nodes), text: { class_type: 'CLIPTextEncode', inputs } };
  expect((await body(await world.submit({ prompt }), envelope(graphTaskQueued))).data.seed).toBe(inputs.seed);
});

test('a submission that cannot be worked out fails alone', async () => {
  const price: Price = ({ steps }) => {
    if (steps === 13) throw new Error('no price');
    return 1;
  };
  const world = await serviceWorld({ price });
  const other = await world.addAccount();
  const submit = (steps: number, key: string) =>
    world.service.app.inject({
      method: 'POST',
      url: '/v1/index.php?endpoint=image_generation',
      headers: { 'x-api-key': key },
      payload: { prompt: 'a fox', steps },
    });
  const answers = await Promise.all([submit(20, other.key), submit(13, world.key), submit(20, other.key)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200]);
});

test('a reference is told in status, list and webhook, and belongs to what an idempotency key stands for', async () => {
  const receiver = await webhookReceiver();
  const world = await serviceWorld({ webhookOrigins: [receiver.origin] });
  const wanted = { prompt: 'a fox', webhook: receiver.url, reference: 'order 7 · Füchse' };
  const submit = (json: unknown) =>
    world.call('/v1/index.php?endpoint=image_generation', {
      json,
      headers: { 'x-api-key': world.key, 'idempotency-key': 'one' },
    });
  const { data } = JSON.parse(await (await submit(wanted)).text());
  expect(await world.until(data.id)).toMatchObject({ status: 'completed', reference: wanted.reference });
  expect(JSON.parse((await receiver.next()).body).data).toMatchObject({
    id: data.id,
    reference: wanted.reference,
  });
  const listed = JSON.parse(await (await world.call('/v1/index.php?endpoint=task_list')).text());
  expect(listed.data.tasks).toMatchObject([{ id: data.id, reference: wanted.reference }]);
  expect((await problemOf(await submit({ ...wanted, reference: 'order 8' }))).code).toBe(
    'idempotency_conflict',
  );
  expect(JSON.stringify(world.lines)).not.toContain('order 7');
});

test.each([
  ['too long', 'x'.repeat(201)],
  ['of two lines', 'one\ntwo'],
  ['with U+0000', 'one\u0000'],
  ['empty', ''],
  ['no text', 7],
  ['of two lines to Unicode', 'one\u2028two'],
])('a reference that is %s is refused before it costs anything', async (_, reference) => {
  const world = await serviceWorld();
  const answer = await world.submit({ prompt: 'a fox', reference });
  const { details, message } = await problemOf(answer);
  expect([answer.status, details]).toMatchObject([400, { field: 'reference' }]);
  expect(message).toMatch(/^reference must /);
  expect(await world.balance()).toBe(100);
});

test('ids of rr3 are in order of time and differ', async () => {
  const world = await serviceWorld({ engine: endlessEngine() });
  const ids = [];
  for (let more = 0; more < 5; more++)
    ids.push(Number(await world.submitted({ prompt: 'a', workflow: 'rr3' })));
  expect(new Set(ids).size).toBe(5);
  const milliseconds = ids.map((id) => Math.floor(id / 1_000));
  expect(milliseconds).toEqual(milliseconds.toSorted((one, other) => one - other));
});
