import { expect, test } from 'vitest';
import type { Engine } from '../src/engines/engine.ts';
import { endlessEngine } from './support/engines.ts';
import { createServiceWorld, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';
import { lendTestStorage, testStorage } from './support/storage.ts';

const submit = (world: ServiceWorld, json: unknown, idempotencyKey: string, key = world.key) =>
  world.call('/v1/index.php?endpoint=image_generation', {
    json,
    headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey },
  });

test('every answer says that repeating a submission is safe', async () => {
  const world = await serviceWorld();
  for (const path of ['/', '/v1/index.php?endpoint=user_balance', '/files/nothing', '/%zz']) {
    const answer = await world.call(path);
    expect([path, answer.headers.get('idempotency-key-supported')]).toEqual([path, 'true']);
  }
});

test('a submission that is repeated gets the same answer and is drawn once', async () => {
  const world = await serviceWorld({ engine: endlessEngine() });
  const first = await (await submit(world, { prompt: 'a fox', width: '640' }, 'one')).text();
  const second = await (await submit(world, { width: 640, prompt: 'a fox' }, 'one')).text();
  expect(second).toBe(first);
  expect(await world.balance()).toBe(99);
});

test('a graph is the same graph in whatever order its nodes and inputs are written', async () => {
  const world = await serviceWorld({ engine: endlessEngine() });
  const size = { width: 64, height: 64, batch_size: 1 };
  const latent = { class_type: 'EmptyLatentImage', inputs: size };
  const sizeReversed = { batch_size: 1, height: 64, width: 64 };
  const note = { class_type: 'Note', inputs: {} };
  const first = await submit(world, { prompt: { latent, note } }, 'one');
  const again = { prompt: { note, latent: { inputs: sizeReversed, class_type: 'EmptyLatentImage' } } };
  expect(await (await submit(world, again, 'one')).text()).toBe(await first.text());
  expect(first.status).toBe(200);
});

test('of submissions at once under one key only one becomes a task', async () => {
  const world = await serviceWorld({ engine: endlessEngine() });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => submit(world, { prompt: 'a fox' }, 'one')),
  );
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(await world.balance()).toBe(99);
});

test('another submission under the same key is a conflict', async () => {
  const world = await serviceWorld();
  await submit(world, { prompt: 'a fox' }, 'one');
  const answer = await submit(world, { prompt: 'a bear' }, 'one');
  expect([answer.status, (await problemOf(answer)).code]).toEqual([409, 'idempotency_conflict']);
});

test('a submission that was refused may be repeated with better luck', async () => {
  const world = await serviceWorld({ credits: 0 });
  expect((await submit(world, { prompt: 'a fox' }, 'one')).status).toBe(402);
  await world.service.ledger.grant({ accountId: world.id, amount: 1_000 });
  expect((await submit(world, { prompt: 'a fox' }, 'one')).status).toBe(200);
});

test('a submission that would be refused by now gets its first answer, and no other is taken', async () => {
  const models = ['lost.safetensors'];
  const engine: Engine = {
    ...endlessEngine(),
    rejection: async ({ model = '' }) =>
      models.includes(model)
        ? undefined
        : { field: 'model', reason: `There is no model ${model}.`, allowed: models },
  };
  const world = await serviceWorld({ engine });
  const wanted = { prompt: 'a fox', model: 'lost.safetensors' };
  const first = await (await submit(world, wanted, 'one')).text();
  models.pop();
  expect(await (await submit(world, wanted, 'one')).text()).toBe(first);
  for (const again of [await submit(world, wanted, 'two'), await world.submit(wanted)])
    expect(await problemOf(again)).toMatchObject({ code: 'invalid_request', details: { field: 'model' } });
  const other = await submit(world, { ...wanted, prompt: 'a bear' }, 'one');
  expect((await problemOf(other)).code).toBe('idempotency_conflict');
  expect(await world.balance()).toBe(99);
});

test('a submission gets its first answer also where its workflow is not offered any more', async () => {
  const storage = await testStorage(lendTestStorage);
  const wanted = { prompt: 'a fox', workflow: 'photo' };
  const before = await createServiceWorld({ storage, workflows: { photo: {} } });
  const first = await (await submit(before, wanted, 'one')).text();
  await before.close();
  const world = await serviceWorld({ storage });
  expect(await (await submit(world, wanted, 'one', before.key)).text()).toBe(first);
  expect((await problemOf(await submit(world, wanted, 'two', before.key))).code).toBe('unknown_workflow');
});

test('accounts do not share idempotency keys', async () => {
  const world = await serviceWorld();
  const other = await world.addAccount();
  const mine = await (await submit(world, { prompt: 'a fox' }, 'one')).text();
  const theirs = await (await submit(world, { prompt: 'a fox' }, 'one', other.key)).text();
  expect(theirs).not.toBe(mine);
});

test('an idempotency key that is too long is refused', async () => {
  const world = await serviceWorld();
  const answer = await submit(world, { prompt: 'a fox' }, 'k'.repeat(256));
  expect(await problemOf(answer)).toMatchObject({
    code: 'parameter_out_of_range',
    details: { field: 'idempotency-key', max: 255, received: 256 },
  });
});
