import { createHash } from 'node:crypto';
import { failureOf, until } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import {
  controlledEngine,
  endlessEngine,
  failingEngine,
} from '../../../image-service/test/support/engines.ts';
import { type ServiceWorldOptions, serviceWorld } from '../../../image-service/test/support/service.ts';
import { createImageClient } from '../../src/client/client.ts';
import type { Task } from '../../src/contract/task.ts';
import { fixture } from '../support/fixture.ts';
import { A_KEY } from '../support/polite-service.ts';

const PROMPT = { prompt: 'a red fox in the snow' };

test.each(['default', 'anime', 'z-image'] as const)(
  'a task of %s goes from its submission to its picture',
  async (workflow) => {
    const { client, key, finished, service } = await clientWorld();
    const { taskId, message, cost } = await client.submit(
      { ...PROMPT, workflow, width: 128, height: 64 },
      { apiKey: key },
    );
    expect(taskId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(message).toContain('webhook');
    expect(cost).toBe(1);

    const task = await finished(taskId);
    const imageUrl = task.state === 'completed' ? `${task.imageUrl}` : expect.fail(task.state);
    const { bytes, contentType } = await client.download(imageUrl);
    expect(contentType).toBe('image/png');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 128, height: 64 });
    const served = Buffer.from(await (await fetch(imageUrl)).arrayBuffer());
    expect(digest(bytes)).toBe(digest(served));
    expect(service.baseUrl).toBe(new URL(imageUrl).origin);
  },
);

test('an answer to a submission says how many more are taken for now', async () => {
  const { client, key } = await clientWorld({ limits: { perMinute: 2 } });
  const left: number[] = [];
  const onRateLimit = ({ remaining, resetMs }: { remaining: number; resetMs: number }) => {
    left.push(remaining);
    expect(resetMs).toBeLessThanOrEqual(60_000);
  };
  for (let nth = 0; nth < 2; nth += 1) await client.submit(PROMPT, { apiKey: key, onRateLimit });
  expect(left).toEqual([1, 0]);
  const refused = await failureOf(client.submit(PROMPT, { apiKey: key, once: true, onRateLimit }));
  expect(refused).toMatchObject({ kind: 'busy' });
});

test('a page of a hundred tasks is read whole, however long their prompts are', async () => {
  const { client, key } = await clientWorld({ limits: { slots: 0, perMinute: 1_000 } });
  const submit = (prompt: string) => client.submit({ prompt }, { apiKey: key });
  const prompts = ['狐'.repeat(10_000), '\u0001'.repeat(10_000)];
  await Promise.all(Array.from({ length: 100 }, (_, nth) => submit(prompts[nth % 2] ?? '')));
  const { tasks } = await client.list({ apiKey: key, limit: 100 });
  expect(tasks).toHaveLength(100);
  for (const prompt of prompts) expect(tasks.filter((task) => task.prompt === prompt)).toHaveLength(50);
});

test('a task of rr3 has a numeric id and is followed like any other', async () => {
  const { client, key, finished } = await clientWorld();
  const { taskId } = await client.submit({ ...PROMPT, workflow: 'rr3', cfg: 7 }, { apiKey: key });
  expect(taskId).toMatch(/^\d+$/);
  expect(await finished(taskId)).toMatchObject({ id: taskId, state: 'completed' });
});

test('the submissions of the interface are all accepted', async () => {
  const { client, key } = await clientWorld();
  for (const name of ['default', 'anime', 'z-image', 'rr3']) {
    const wanted = fixture(`submission-${name}`) as typeof PROMPT;
    expect((await client.submit(wanted, { apiKey: key })).taskId).not.toBe('');
  }
});

test('a graph that is too large is refused by the service each time, and never unclear', async () => {
  const { client, key } = await clientWorld({ limits: { perMinute: 100 } });
  const prompt = { 1: { class_type: 'Note', inputs: { text: 'a'.repeat(5_000_000) } } };
  const failures = await Promise.all(
    Array.from({ length: 25 }, () => failureOf(client.submit({ prompt }, { apiKey: key }))),
  );
  for (const failure of failures)
    expect(failure).toMatchObject({ kind: 'refused', code: 'body_too_large', unclear: false });
});

test('a task is pending, then processing with its progress, then completed', async () => {
  const engine = controlledEngine();
  const { client, key, finished } = await clientWorld({ engine, limits: { slots: 1 } });
  const first = await client.submit(PROMPT, { apiKey: key });
  const second = await client.submit(PROMPT, { apiKey: key });
  const drawing = await engine.next();
  expect(await client.status(second.taskId, { apiKey: key })).toMatchObject({
    state: 'pending',
    progress: 0,
  });
  drawing.progress(45);
  await expect
    .poll(() => client.status(first.taskId, { apiKey: key }))
    .toMatchObject({ state: 'processing', progress: 45, createdAt: expect.any(Date) });
  await drawing.finish();
  expect(await finished(first.taskId)).toMatchObject({ state: 'completed' });
  await (await engine.next()).finish();
  expect(await finished(second.taskId)).toMatchObject({ state: 'completed' });
});

test('a task that fails says why, and costs nothing', async () => {
  const { client, key, finished } = await clientWorld({ engine: failingEngine(), credits: 5 });
  const { taskId } = await client.submit(PROMPT, { apiKey: key });
  const task = await finished(taskId);
  expect(task).toMatchObject({ state: 'failed', reason: expect.any(String) });
  expect(await client.balance({ apiKey: key })).toMatchObject({ balance: 5, currency: 'credits' });
});

test('a balance is the account’s, less what its pictures cost', async () => {
  const { client, key, finished, service } = await clientWorld({ credits: 3 });
  await finished((await client.submit(PROMPT, { apiKey: key })).taskId);
  expect(await client.balance({ apiKey: key })).toEqual({
    accountId: String(service.accountId),
    username: service.username,
    balance: 2,
    currency: 'credits',
  });
});

test('the tasks of an account are listed page by page, newest first, and by their state', async () => {
  const { client, key, finished } = await clientWorld();
  const ids: string[] = [];
  for (const prompt of ['a fox', 'an owl', 'a hare']) {
    const { taskId } = await client.submit({ prompt }, { apiKey: key });
    await finished(taskId);
    ids.unshift(taskId);
  }
  const first = await client.list({ apiKey: key, limit: 2 });
  const second = await client.list({ apiKey: key, limit: 2, after: first.next });
  expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids);
  expect(second.next).toBeUndefined();
  expect((await client.list({ apiKey: key, status: 'failed' })).tasks).toEqual([]);
});

test('a submission that cannot be paid is refused as such', async () => {
  const { client, key } = await clientWorld({ credits: 0.5 });
  expect(await failureOf(client.submit(PROMPT, { apiKey: key }))).toMatchObject({
    kind: 'insufficient-balance',
    code: 'insufficient_balance',
    status: 402,
    unclear: false,
  });
});

test('a submission that is repeated under its key is one task, and the client knows that it would be', async () => {
  const { client, key } = await clientWorld();
  expect(client.idempotencySupported()).toBe(undefined);
  const options = { apiKey: key, idempotencyKey: 'job-7-1' };
  const first = await client.submit(PROMPT, options);
  expect(client.idempotencySupported()).toBe(true);
  expect(await client.submit(PROMPT, options)).toEqual(first);
  expect(await failureOf(client.submit({ prompt: 'another fox' }, options))).toMatchObject({
    kind: 'refused',
    code: 'idempotency_conflict',
    unclear: false,
  });
});

test('a key that submits too often is told when to come again', async () => {
  const { client, key } = await clientWorld({ limits: { perMinute: 1 } });
  await client.submit(PROMPT, { apiKey: key });
  const failure = await failureOf(client.submit(PROMPT, { apiKey: key }));
  expect(failure).toMatchObject({ kind: 'busy', code: 'rate_limited', unclear: false });
  const { retryAfterMs } = failure as { retryAfterMs: number };
  expect(retryAfterMs).toBeGreaterThan(1_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test('a key that is not active is refused by every operation that needs one', async () => {
  const { client } = await clientWorld();
  for (const call of [
    () => client.submit(PROMPT, { apiKey: A_KEY }),
    () => client.status('1', { apiKey: A_KEY }),
    () => client.balance({ apiKey: A_KEY }),
    () => client.getKey({ apiKey: A_KEY }),
    () => client.revokeKey({ apiKey: A_KEY }),
  ]) {
    expect(await failureOf(call())).toMatchObject({
      kind: 'unauthorized',
      code: 'invalid_api_key',
      status: 401,
    });
  }
});

test('a login token that is not known makes no key and tells no key', async () => {
  const { client } = await clientWorld();
  const token = `lt-${'0'.repeat(48)}`;
  for (const call of [() => client.generateKey({ token }), () => client.getKey({ token })]) {
    expect(await failureOf(call())).toMatchObject({ kind: 'unauthorized', code: 'invalid_login_token' });
  }
});

test('keys are generated, told and revoked', async () => {
  const { client, service } = await clientWorld();
  const { loginToken: token } = service;
  const { apiKey } = await client.generateKey({ token });
  expect(apiKey).toMatch(/^sk-[0-9a-f]{48}$/);
  expect(await client.getKey({ token })).toEqual({ apiKey });
  expect(await client.getKey({ apiKey })).toEqual({ apiKey });

  expect(await client.revokeKey({ apiKey })).toEqual({ revoked: 1 });
  expect(await failureOf(client.balance({ apiKey }))).toMatchObject({ kind: 'unauthorized' });
  expect(await client.getKey({ token })).toEqual({ apiKey: service.key });

  await client.generateKey({ token });
  expect(await client.revokeKey({ token, all: true })).toEqual({ revoked: 2 });
  expect(await client.getKey({ token })).toEqual({ apiKey: undefined });
});

test('an account with as many keys as it may have is refused another, once', async () => {
  const { client, service } = await clientWorld();
  for (let made = 1; made < 10; made += 1) await client.generateKey({ token: service.loginToken });
  expect(await failureOf(client.generateKey({ token: service.loginToken }))).toMatchObject({
    kind: 'refused',
    code: 'too_many_keys',
  });
});

test('a task that is not there, or another account’s, is not found', async () => {
  const { client, key, service } = await clientWorld();
  const { taskId } = await client.submit(PROMPT, { apiKey: key });
  const other = await service.addAccount();
  for (const call of [
    () => client.status(taskId, { apiKey: other.key }),
    () => client.status('12345', { apiKey: key }),
    () => client.status('no id at all', { apiKey: key }),
  ]) {
    expect(await failureOf(call())).toMatchObject({ kind: 'not-found', code: 'task_not_found' });
  }
});

test('a graph that the service cannot draw is refused, with a request id that its log knows', async () => {
  const { client, key, service } = await clientWorld();
  const graph = { 1: { class_type: 'RunAnything', inputs: {} } };
  const failure = await failureOf(client.submit({ prompt: graph, workflow: 'rr3' }, { apiKey: key }));
  expect(failure).toMatchObject({
    kind: 'refused',
    status: 400,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const { requestId } = failure as { requestId: string };
  await expect.poll(() => service.lines.join('')).toContain(requestId);
});

test('a task can be ended, and costs nothing then', async () => {
  const { client, key } = await clientWorld({ engine: endlessEngine() });
  const { taskId } = await client.submit({ prompt: 'an endless fox' }, { apiKey: key });
  expect(await client.cancel(taskId, { apiKey: key })).toMatchObject({
    state: 'failed',
    errorCode: 'cancelled',
  });
  expect((await client.balance({ apiKey: key })).balance).toBe(100);
});

test('what an account asked for, used and would pay is told, and what its webhooks are signed with', async () => {
  const { client, key, finished, service } = await clientWorld();
  const options = { apiKey: key };
  const wanted = { ...PROMPT, width: 128, height: 64 };
  expect(await client.dryRun(wanted, options)).toEqual({
    cost: 1,
    balance: 100,
    queuePosition: 1,
    etaSeconds: undefined,
    warnings: [],
  });
  const { taskId } = await client.submit(wanted, options);
  await finished(taskId);
  expect((await client.list(options)).tasks).toMatchObject([
    { id: taskId, prompt: PROMPT.prompt, width: 128, height: 64, finishedAt: expect.any(Date) },
  ]);
  expect((await client.usage(options)).total).toEqual({ completed: 1, failed: 0, cost: 1 });
  const { webhookSecret } = await client.webhookSecret(options);
  const rotated = await client.rotateWebhookSecret({ token: service.loginToken });
  expect(rotated.webhookSecret).not.toBe(webhookSecret);
  expect(await client.webhookSecret(options)).toEqual(rotated);
});

test('webhooks are tested and sent again, where they may be', async () => {
  const { client, key, finished } = await clientWorld();
  const options = { apiKey: key };
  const webhook = 'https://hooks.invalid/fox';
  expect(await client.testWebhook(webhook, options)).toMatchObject({ delivered: false, status: undefined });
  expect(await failureOf(client.testWebhook('https://127.0.0.1/fox', options))).toMatchObject({
    kind: 'refused',
  });
  const { taskId } = await client.submit({ ...PROMPT, webhook, reference: 'order 7' }, options);
  await finished(taskId);
  expect(await client.resendWebhook(taskId, options)).toMatchObject({ id: taskId, reference: 'order 7' });
});

test('a picture that is not there is not found', async () => {
  const { client } = await clientWorld();
  expect(await failureOf(client.download('/files/nothing.png'))).toMatchObject({ kind: 'not-found' });
});

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A service on real sockets, a client of it, and the first account's key. */
async function clientWorld(options?: ServiceWorldOptions) {
  const world = await serviceWorld(options);
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());

  async function finished(taskId: string): Promise<Task> {
    return until(async () => {
      const task = await client.status(taskId, { apiKey: world.key });
      return (task.state === 'completed' || task.state === 'failed') && task;
    }, `the end of task ${taskId}`);
  }
  return { client, key: world.key, finished, service: { ...world, baseUrl: world.url, accountId: world.id } };
}
