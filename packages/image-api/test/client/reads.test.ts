import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import * as behave from '../support/behaviours.ts';
import type { Behaviour, Route } from '../support/exchange.ts';
import { createClientWorld, IMPATIENT } from '../support/image-client.ts';
import { A_KEY, A_PNG } from '../support/polite-service.ts';

test('a balance is read', async () => {
  const { client, service } = await createClientWorld();
  expect(await client.balance({ apiKey: A_KEY })).toEqual({
    accountId: '7',
    username: 'ada',
    balance: 42.5,
    currency: 'credits',
  });
  expect(service.requests()[0]).toMatchObject({
    method: 'GET',
    url: '/v1/index.php?endpoint=user_balance',
    body: '',
  });
});

const SIX_SECONDS = behave.refusal(429, 'Too many requests', {
  date: 'Thu, 01 Jan 2099 00:00:00 GMT',
  'retry-after': 'Thu, 01 Jan 2099 00:00:06 GMT',
});

test.each<[string, Behaviour[], number[]]>([
  ['a burst of errors', behave.times(3, behave.html(502)), [375, 750, 1_500]],
  ['a reset and half a body', [behave.reset(), behave.halfBody()], [375, 750]],
  ['429 with a wait', [behave.tooMany(4)], [4_125]],
  ['429 without one', [behave.tooMany()], [375]],
  ['429 until a moment of its own clock', [SIX_SECONDS], [6_125]],
  ['a page in place of an answer', [behave.html(200)], [375]],
  ['silence', [behave.hang()], [375]],
])('a read goes on after %s, after these waits', async (_name, faults, sleeps) => {
  const { client, service, clock } = await createClientWorld(IMPATIENT);
  service.script('balance', ...faults, service.politely);
  expect(await client.balance({ apiKey: A_KEY })).toMatchObject({ balance: 42.5 });
  expect(clock.sleeps).toEqual(sleeps);
  expect(service.requests()).toHaveLength(faults.length + 1);
});

test('a read gives up when its budget is used up', async () => {
  const { client, service, clock } = await createClientWorld();
  service.script('balance', behave.html(500));
  expect(await failureOf(client.balance({ apiKey: A_KEY }))).toMatchObject({ kind: 'broken' });
  expect(clock.sleeps).toEqual([375, 750, 1_500, 3_000, 3_000, 3_000, 3_000]);
});

test.each([401, 402, 403, 404, 422])('a read is not repeated after %i', async (status) => {
  const { client, service } = await createClientWorld();
  service.script('balance', behave.refusal(status, 'no'));
  await failureOf(client.balance({ apiKey: A_KEY }));
  expect(service.requests()).toHaveLength(1);
});

test('403 is of the key where no prompt and no picture was sent, whatever its words', async () => {
  const { client, service } = await createClientWorld();
  const locked = behave.refusal(403, 'Dieses Konto gibt es nicht mehr');
  const apiKey = A_KEY;
  const failed = async (route: Route, call: () => Promise<unknown>) => {
    service.script(route, locked);
    return [route, await failureOf(call())] as const;
  };
  const ofKey = [
    await failed('balance', () => client.balance({ apiKey })),
    await failed('status', () => client.status('7', { apiKey })),
    await failed('list', () => client.list({ apiKey })),
    await failed('getKey', () => client.getKey({ apiKey })),
    await failed('generateKey', () => client.generateKey({ token: 'a token' })),
  ];
  for (const [route, failure] of ofKey) expect(failure, route).toMatchObject({ kind: 'unauthorized' });
  const ofContent = [
    await failed('submit', () => client.submit({ prompt: 'a red fox' }, { apiKey })),
    await failed('dryRun', () => client.dryRun({ prompt: 'a red fox' }, { apiKey })),
    await failed('upload', () => client.upload(A_PNG, { apiKey })),
  ];
  for (const [route, failure] of ofContent) expect(failure, route).toMatchObject({ kind: 'refused' });
});

test('an answer that is larger than any that is read is not asked for again', async () => {
  const { client, service, clock } = await createClientWorld();
  const huge = behave.answer({ balance: 42.5, username: 'a'.repeat(1024 ** 2) });
  service.script('balance', huge);
  expect(await failureOf(client.balance({ apiKey: A_KEY }))).toMatchObject({
    kind: 'protocol',
    code: 'answer_too_large',
    status: 200,
    message: expect.stringContaining('more than 1048576 bytes'),
  });
  expect([service.requests().length, clock.sleeps]).toEqual([1, []]);
});

test('a closed client ends what runs and refuses what comes', async () => {
  const { client, service } = await createClientWorld();
  service.script('status', behave.hang());
  const hanging = failureOf(client.status('7', { apiKey: A_KEY }));
  await expect.poll(() => service.requests()).toHaveLength(1);
  await client.close();
  expect(await hanging).toMatchObject({ name: 'ServiceError', kind: 'interrupted' });
  expect(await failureOf(client.status('7', { apiKey: A_KEY }))).toMatchObject({ kind: 'unreachable' });
});
