import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { taskEnded } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFakeClock, createFastClock } from '@darkroom/time/testing';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createPrometheus } from '../../src/observability/prometheus.ts';
import { signingSecretContext } from '../../src/webhooks/signing-secrets.ts';
import { receiverOf } from '../../src/webhooks/webhook-queue.ts';
import { controlledEngine, failingEngine } from '../support/engines.ts';
import { PRIVATE_ADDRESSES } from '../support/private-addresses.ts';
import { problemOf, type ServiceWorld, type ServiceWorldOptions, serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';
import { type ReceivedWebhook, webhookReceiver } from '../support/webhook-receiver.ts';

/** The body of an answer, whose form other tests hold against the contract. */
const jsonOf = async (answer: Response): Promise<{ data: Record<string, string> & { id: string } }> =>
  JSON.parse(await answer.text());

type Receiver = Awaited<ReturnType<typeof webhookReceiver>>;
const worldWith = (receiver: Receiver, options: ServiceWorldOptions = {}) =>
  serviceWorld({ webhookOrigins: [receiver.origin], ...options });

const secretOf = async (world: ServiceWorld, { key }: Pick<ServiceWorld, 'key'> = world): Promise<string> => {
  const headers = { 'x-api-key': key };
  const { data } = await jsonOf(await world.call('/api.php?action=get_webhook_secret', { headers }));
  return `${data.webhook_secret}`;
};

const verify = (secret: string, { body, headers }: ReceivedWebhook): unknown =>
  new Webhook(secret).verify(body, {
    'webhook-id': `${headers['webhook-id']}`,
    'webhook-timestamp': `${headers['webhook-timestamp']}`,
    'webhook-signature': `${headers['webhook-signature']}`,
  });

/** What the status says of a task's webhook, as soon as it is in that state. */
async function webhookOf(world: ServiceWorld, id: string, state: string, attempts = 0) {
  const task = await world.until(
    id,
    ({ webhook }) => webhook?.state === state && webhook.attempts.length >= attempts,
  );
  return task.webhook;
}

test('the end of a task is sent once, signed, as its status answers it, and the status tells of it', async () => {
  const receiver = await webhookReceiver();
  const engine = controlledEngine();
  const world = await worldWith(receiver, { engine });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  expect(await webhookOf(world, id, 'waiting')).toEqual({ state: 'waiting', attempts: [] });
  await (await engine.next()).finish();
  const webhook = await receiver.next();
  expect(webhook.path).toBe('/hooks?secret=only-mine');
  expect(webhook.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `msg_${id}` });
  const status = await webhookOf(world, id, 'delivered');
  expect(status?.attempts).toEqual([{ at: expect.any(String), status: 200 }]);
  const answer = await jsonOf(await world.status(id));
  delete answer.data.webhook;
  expect(verify(await secretOf(world), webhook)).toEqual(answer);
  expect(taskEnded.parse(answer)).toEqual(answer);
  expect(receiver.received).toHaveLength(1);
});

test('a task that fails and one that is cancelled are told, too', async () => {
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver, { engine: controlledEngine(), rr3Engine: failingEngine() });
  const failed = await world.submitted({ prompt: 'a fox', workflow: 'rr3', webhook: { url: receiver.url } });
  expect(JSON.parse((await receiver.next()).body).data).toMatchObject({
    id: failed,
    error: 'the brush broke',
  });
  const cancelled = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  await world.call('/v1/index.php?endpoint=cancel_task', {
    json: { task_id: cancelled },
    headers: { 'x-api-key': world.key },
  });
  expect(JSON.parse((await receiver.next(2)).body).data).toMatchObject({
    id: cancelled,
    error_code: 'cancelled',
  });
});

test('a task that is not drawn in time is told, too', async () => {
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver, { limits: { slots: 0, taskMs: 100 } });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  expect(JSON.parse((await receiver.next()).body).data).toMatchObject({ id, error_code: 'timed_out' });
});

test('the message of a submission promises a webhook only where one is named', async () => {
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver);
  const message = async (body: object) => (await jsonOf(await world.submit(body))).data.message;
  expect(await message({ prompt: 'a fox' })).toContain('or name a webhook');
  expect(await message({ prompt: 'a fox', webhook: receiver.url })).toMatch(/will be sent to your webhook/);
});

test('what is not accepted is sent again under the same id, later each time, until it is', async () => {
  const receiver = await webhookReceiver((response, count) => {
    response.statusCode = count < 3 ? 503 : 204;
    response.end('the inside of a receiver');
  });
  const clock = createFastClock({ factor: 1 });
  const world = await worldWith(receiver, { clock });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const first = await webhookOf(world, id, 'pending', 1);
  expect(first).toMatchObject({ attempts: [{ status: 503 }], next_attempt_at: expect.any(String) });
  expect(JSON.stringify(first)).not.toContain('inside');
  clock.advance(6_000);
  await webhookOf(world, id, 'pending', 2);
  clock.advance(36_000);
  expect((await webhookOf(world, id, 'delivered'))?.attempts.map(({ status }) => status)).toEqual([
    503, 503, 204,
  ]);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a receiver that never accepts is given up after about a day, with the reason', async () => {
  const receiver = await webhookReceiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const clock = createFastClock({ factor: 1 });
  const world = await worldWith(receiver, { clock });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const start = clock.now();
  for (let attempt = 1; attempt <= 8; attempt++) {
    const pending = await webhookOf(world, id, 'pending', attempt);
    clock.advance(Date.parse(pending?.next_attempt_at ?? '') - clock.now());
  }
  const disabled = await webhookOf(world, id, 'disabled');
  expect(disabled?.reason).toBe('Given up after 9 attempts; at last it answered 500.');
  expect(disabled?.attempts).toHaveLength(9);
  const hours = (clock.now() - start) / HOUR_MS;
  expect(hours > 23 && hours < 30).toBe(true);
  clock.advance(DAY_MS);
  // What were due still would be sent before.
  const next = await world.submitted({ prompt: 'another fox', webhook: receiver.url });
  expect((await receiver.next(10)).headers['webhook-id']).toBe(`msg_${next}`);
});

test('a receiver that says that it is gone is not asked again', async () => {
  const receiver = await webhookReceiver((response) => {
    response.statusCode = 410;
    response.end();
  });
  const clock = createFastClock({ factor: 1 });
  const world = await worldWith(receiver, { clock });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  expect(await webhookOf(world, id, 'disabled')).toMatchObject({
    attempts: [{ status: 410 }],
    reason: /gone/,
  });
  clock.advance(DAY_MS);
  // What were due still would be sent before.
  const next = await world.submitted({ prompt: 'another fox', webhook: receiver.url });
  expect((await receiver.next(2)).headers['webhook-id']).toBe(`msg_${next}`);
});

test('attempts are counted by what came of them', async () => {
  const receiver = await webhookReceiver((response, count) => {
    response.statusCode = count === 1 ? 200 : 410;
    response.end();
  });
  const world = await worldWith(receiver, { prometheus: createPrometheus() });
  for (const state of ['delivered', 'disabled'])
    await webhookOf(world, await world.submitted({ prompt: 'a fox', webhook: receiver.url }), state);
  const text = await (await world.call('/metrics')).text();
  for (const outcome of ['delivered', 'gone'])
    expect(text).toContain(`image_service_webhooks_total{outcome="${outcome}"} 1`);
});

test('a redirect is not followed', async () => {
  const inside = await webhookReceiver();
  const receiver = await webhookReceiver((response) => {
    response.writeHead(307, { location: inside.url }).end();
  });
  const world = await worldWith(receiver);
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const status = await webhookOf(world, id, 'pending', 1);
  expect(status?.attempts).toMatchObject([{ status: 307, error: 'redirects are not followed' }]);
  expect(inside.received).toEqual([]);
});

test('a receiver that hangs is sent one webhook, and holds up neither another of its account nor another account', async () => {
  const slow = await webhookReceiver(() => undefined);
  const all = [slow, ...(await Promise.all(Array.from({ length: 4 }, () => webhookReceiver())))];
  const world = await serviceWorld({ webhookOrigins: all.map(({ origin }) => origin) });
  // One origin in 256 counts as the same receiver.
  const known = ({ url }: Receiver) => receiverOf(world.id, new URL(url));
  const quick = all.find((receiver) => known(receiver) !== known(slow)) ?? slow;
  for (let more = 0; more < 10; more++) await world.submitted({ prompt: 'a fox', webhook: slow.url });
  await slow.next();
  await world.submitted({ prompt: 'a fox', webhook: quick.url });
  await quick.next();
  const other = await world.addAccount();
  await world.submitted({ prompt: 'a fox', webhook: quick.url }, other.key);
  await quick.next(2);
  expect(slow.received).toHaveLength(1);
});

test('what is due is sent as soon as a receiver has answered, and not at the next look', async () => {
  const receiver = await webhookReceiver();
  const clock = createFakeClock();
  const world = await worldWith(receiver, { clock });
  const ids = [];
  for (let more = 0; more < 20; more++)
    ids.push(await world.submitted({ prompt: 'a fox', webhook: receiver.url }));
  for (const id of ids) await world.until(id);
  clock.advance(1_000);
  await receiver.next(20);
});

test('what a process was sending when it ended is sent by the next, and two at once send nothing twice', async () => {
  const storage = await testStorage();
  let hanging = true;
  const receiver = await webhookReceiver((response) => {
    if (!hanging) response.end();
  });
  const one = await worldWith(receiver, { storage });
  const id = await one.submitted({ prompt: 'a fox', webhook: receiver.url });
  await receiver.next();
  await one.close();
  hanging = false;
  const options = { storage, credits: 0 };
  const [two] = await Promise.all([worldWith(receiver, options), worldWith(receiver, options)]);
  await receiver.next(2);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([`msg_${id}`]),
  );
  const key = one.key;
  const ids = [];
  for (let more = 0; more < 20; more++)
    ids.push(await two.submitted({ prompt: 'a fox', webhook: receiver.url }, key));
  for (const each of ids) await two.until(each, ({ webhook }) => webhook?.state === 'delivered', key);
  expect(receiver.received).toHaveLength(22);
});

test('a submission that is repeated under its key has one webhook', async () => {
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver);
  const submit = (webhook: string) =>
    world.call('/v1/index.php?endpoint=image_generation', {
      json: { prompt: 'a fox', webhook },
      headers: { 'x-api-key': world.key, 'idempotency-key': 'one' },
    });
  const first = await jsonOf(await submit(receiver.url));
  await receiver.next();
  expect(await jsonOf(await submit(receiver.url))).toEqual(first);
  expect((await submit(`${receiver.url}2`)).status).toBe(409);
  await webhookOf(world, first.data.id, 'delivered');
  expect(receiver.received).toHaveLength(1);
});

test.each([
  ['http://example.com/hooks', /https/],
  ...PRIVATE_ADDRESSES,
  ['ftp://example.com/', /https/],
  ['not an address', /address such as/],
  ['', undefined],
  [7, undefined],
  [{ address: 'https://example.com' }, undefined],
])('the webhook %j is refused, and nothing is charged', async (webhook, words) => {
  const world = await serviceWorld();
  const answer = await world.submit({ prompt: 'a fox', webhook });
  const problem = await problemOf(answer);
  expect([answer.status, problem.details?.field]).toEqual([400, 'webhook']);
  if (words) expect(problem.message).toMatch(words);
  expect(problem.message).not.toContain('secret');
  expect(await world.balance()).toBe(100);
});

test('the secret is made once, is shown to its account only, and can be changed', async () => {
  const receiver = await webhookReceiver();
  const clock = createFastClock({ factor: 1 });
  const world = await worldWith(receiver, { clock });
  const old = await secretOf(world);
  expect([await secretOf(world), old]).toEqual([old, expect.stringMatching(/^whsec_.{44}$/)]);
  const other = await world.addAccount();
  const theirs = await secretOf(world, other);
  const rotate = (headers: Record<string, string>) =>
    world.call('/api.php?action=rotate_webhook_secret', { method: 'POST', headers });
  expect((await rotate({ 'x-api-key': world.key })).status).toBe(401);
  const rotated = await jsonOf(await rotate({ authorization: `Bearer ${world.loginToken}` }));
  const current = await secretOf(world);
  expect([rotated.data.webhook_secret, current === old]).toEqual([current, false]);
  expect(await secretOf(world, other)).toBe(theirs);

  await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const overlapping = await receiver.next();
  for (const secret of [old, current]) expect(() => verify(secret, overlapping)).not.toThrow();
  clock.advance(25 * HOUR_MS);
  await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const { headers } = await receiver.next(2);
  expect(`${headers['webhook-signature']}`.split(' ')).toHaveLength(1);
});

test('each of several secrets before the current one signs for its day', async () => {
  const receiver = await webhookReceiver();
  const clock = createFastClock({ factor: 1 });
  const world = await worldWith(receiver, { clock });
  const rotated = async () => {
    const headers = { authorization: `Bearer ${world.loginToken}` };
    const answer = await world.call('/api.php?action=rotate_webhook_secret', { method: 'POST', headers });
    return `${(await jsonOf(answer)).data.webhook_secret}`;
  };
  const secrets = [await secretOf(world), await rotated(), await rotated()];
  const first = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const signed = await receiver.next();
  // What is still under way when the clock leaps takes too long, and is sent again.
  await webhookOf(world, first, 'delivered');
  for (const secret of secrets) expect(() => verify(secret, signed)).not.toThrow();

  let sent = 1;
  const signatures = async () => {
    const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
    const { headers } = await receiver.next(++sent);
    await webhookOf(world, id, 'delivered');
    return `${headers['webhook-signature']}`.split(' ').length;
  };
  clock.advance(23 * HOUR_MS);
  await rotated();
  expect(await signatures()).toBe(4);
  clock.advance(2 * HOUR_MS);
  expect(await signatures()).toBe(2);

  for (let more = 0; more < 6; more++) await rotated();
  expect(await signatures()).toBe(5);
});

test('a secret that cannot be read any more keeps no webhook back once its account has made a new one', async () => {
  const storage = await testStorage();
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver, { storage, clock: createFastClock() });
  await secretOf(world);
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const sealed = createVault(['6'.repeat(64)]).seal('whsec_lost', signingSecretContext(world.id));
  await db.updateTable('webhookSecrets').set({ sealed }).execute();

  const answer = await world.call('/api.php?action=get_webhook_secret');
  const tested = await post(world, 'test_webhook', { webhook: receiver.url });
  for (const refused of [answer, tested])
    expect([refused.status, (await problemOf(refused)).code]).toEqual([409, 'key_unreadable']);
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const told = await webhookOf(world, id, 'pending', 1);
  expect(told?.attempts[0]?.error).toMatch(/Make a new one\.$/);
  expect(world.lines.join('')).toContain('a webhook could not be sent');

  const { loginToken: token } = world;
  await world.call('/api.php?action=rotate_webhook_secret', { json: { token }, headers: {} });
  const after = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  await webhookOf(world, after, 'delivered');
});

test('neither the address nor the secret is written anywhere in clear', async () => {
  const storage = await testStorage();
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver, { storage });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  await webhookOf(world, id, 'delivered');
  const secret = await secretOf(world);
  const written = [...world.lines];
  if (storage.databaseUrl.startsWith('sqlite')) {
    for (const file of ['service.sqlite', 'service.sqlite-wal'])
      written.push(await readFile(join(storage.folder, file), 'latin1'));
  }
  for (const text of written) expect(text.includes('only-mine') || text.includes(secret)).toBe(false);
});

const post = (world: ServiceWorld, endpoint: string, json: object, key = world.key) =>
  world.call(`/v1/index.php?endpoint=${endpoint}`, { json, headers: { 'x-api-key': key } });

test('a test is sent once, signed as any other webhook, and its answer told', async () => {
  const receiver = await webhookReceiver((response, count) => {
    response.statusCode = count === 1 ? 204 : 500;
    response.end('the inside of a receiver');
  });
  const world = await worldWith(receiver);
  const sent = async () => (await jsonOf(await post(world, 'test_webhook', { webhook: receiver.url }))).data;
  expect(await sent()).toEqual({ delivered: true, status: 204 });
  const webhook = await receiver.next();
  expect(verify(await secretOf(world), webhook)).toMatchObject({
    success: true,
    data: { id: expect.any(String), status: 'failed', error_code: 'test' },
  });
  expect(await sent()).toEqual({ delivered: false, status: 500 });
  expect(receiver.received).toHaveLength(2);
  expect(world.lines.join('')).not.toContain('only-mine');
});

test('a test goes nowhere that a webhook may not go, and not more often than ten times a minute', async () => {
  const receiver = await webhookReceiver();
  const clock = createFakeClock();
  const world = await worldWith(receiver, { clock });
  const other = await world.addAccount();
  const inside = await post(world, 'test_webhook', { webhook: 'https://127.0.0.1/hooks' });
  expect([inside.status, (await problemOf(inside)).details]).toEqual([400, { field: 'webhook' }]);
  const statuses = [];
  for (let count = 0; count < 11; count++)
    statuses.push((await post(world, 'test_webhook', { webhook: receiver.url })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  expect((await post(world, 'test_webhook', { webhook: receiver.url }, other.key)).status).toBe(200);
  await clock.advance(MINUTE_MS);
  expect((await post(world, 'test_webhook', { webhook: receiver.url })).status).toBe(200);
});

test('a webhook that is over is sent again under the same id, and tried as any other', async () => {
  const receiver = await webhookReceiver((response, count) => {
    response.statusCode = [410, 503, 200, 200][count - 1] ?? 500;
    response.end();
  });
  const clock = createFastClock({ factor: 1 });
  const engine = controlledEngine();
  const world = await worldWith(receiver, { clock, engine });
  const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  const resend = async () => (await jsonOf(await post(world, 'resend_webhook', { task_id: id }))).data;
  expect(await resend()).toMatchObject({ webhook: { state: 'waiting' } });
  await (await engine.next()).finish();
  await webhookOf(world, id, 'disabled');
  expect(await resend()).toMatchObject({ status: 'completed', webhook: { state: 'pending' } });
  await webhookOf(world, id, 'pending', 2);
  clock.advance(HOUR_MS);
  const delivered = await webhookOf(world, id, 'delivered');
  expect(delivered?.attempts.map(({ status }) => status)).toEqual([410, 503, 200]);
  await resend();
  await receiver.next(4);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([`msg_${id}`]),
  );
});

test('an account has webhooks sent again sixty times a minute at most, whichever they are', async () => {
  const receiver = await webhookReceiver();
  // However long the calls take here, they are of one minute.
  const world = await worldWith(receiver, { clock: createFastClock({ factor: 0.1 }) });
  const other = await world.addAccount();
  const idOf = async (key: string) => {
    const id = await world.submitted({ prompt: 'a fox', webhook: receiver.url }, key);
    await world.until(id, undefined, key);
    return id;
  };
  const [id, theirs] = [await idOf(world.key), await idOf(other.key)];
  const statuses = [];
  for (let count = 0; count < 61; count++)
    statuses.push((await post(world, 'resend_webhook', { task_id: id })).status);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
  expect((await post(world, 'resend_webhook', { task_id: theirs }, other.key)).status).toBe(200);
});

test('only what is its own and has a webhook can an account have sent again', async () => {
  const receiver = await webhookReceiver();
  const world = await worldWith(receiver);
  const other = await world.addAccount();
  const told = await world.submitted({ prompt: 'a fox', webhook: receiver.url });
  await webhookOf(world, told, 'delivered');
  const untold = await world.submitted({ prompt: 'a fox' });
  const codes = [];
  for (const [task_id, key] of [
    [told, other.key],
    ['nothing', world.key],
    [untold, world.key],
  ] as const)
    codes.push((await problemOf(await post(world, 'resend_webhook', { task_id }, key))).code);
  expect(codes).toEqual(['task_not_found', 'task_not_found', 'no_webhook']);
  expect(receiver.received).toHaveLength(1);
});
