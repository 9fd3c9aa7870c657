import { failureOf, NOWHERE } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createImageClient } from '../../src/client/client.ts';
import type { ServiceErrorKind } from '../../src/service-error.ts';
import * as behave from '../support/behaviours.ts';
import type { Behaviour } from '../support/exchange.ts';
import { fixture } from '../support/fixture.ts';
import { createClientWorld, IMPATIENT } from '../support/image-client.ts';
import { A_KEY } from '../support/polite-service.ts';

const SUBMISSION = { prompt: 'a red fox in the snow' };

test('a submission is one POST of exactly its fields, with the key in one header only', async () => {
  const { client, service } = await createClientWorld();
  const wanted = {
    prompt: 'a red fox',
    width: 512,
    height: 768,
    steps: 20,
    workflow: 'anime',
    seed: 42,
    cfg: 6.5,
  } as const;
  const { taskId, message } = await client.submit(wanted, { apiKey: A_KEY, idempotencyKey: 'job-7' });
  expect(taskId).toMatch(/^[0-9a-f-]{36}$/);
  expect(message).toBe('Webhook support is coming.');

  const [request, ...others] = service.requests();
  expect(others).toEqual([]);
  expect(request?.method).toBe('POST');
  expect(request?.url).toBe('/v1/index.php?endpoint=image_generation');
  expect(request?.body).toBe(JSON.stringify(wanted));
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-api-key': A_KEY,
    'idempotency-key': 'job-7',
    'user-agent': expect.stringMatching(/^darkroom\/\d+\.\d+\.\d+ \(node\/\d+\.\d+\.\d+\)$/),
  });
  expect(request?.headers.authorization).toBeUndefined();
});

test('what the service says of an accepted submission is told', async () => {
  const { client, service } = await createClientWorld();
  service.script(
    'submit',
    behave.answer({ id: '7', cost: '1.5', seed: 42, warnings: ['size is no parameter'] }),
  );
  expect(await client.submit(SUBMISSION, { apiKey: A_KEY })).toEqual({
    taskId: '7',
    message: undefined,
    cost: 1.5,
    seed: 42,
    warnings: ['size is no parameter'],
  });
  service.script('submit', behave.answer({ id: '8', warnings: 'none' }));
  expect(await client.submit(SUBMISSION, { apiKey: A_KEY })).toMatchObject({ seed: undefined, warnings: [] });
});

test('a graph is submitted as it is', async () => {
  const { client, service } = await createClientWorld();
  const body = fixture('submission-graph') as { prompt: Record<string, never> };
  await client.submit(body, { apiKey: A_KEY });
  expect(JSON.parse(service.requests('submit')[0]?.body ?? '')).toEqual(body);
});

test('a base URL with a path and a slash at its end is where the interface begins', async () => {
  const { service } = await createClientWorld();
  const client = createImageClient({ baseUrl: `${service.baseUrl}/images/` });
  onTestFinished(() => client.close());
  await client.submit(SUBMISSION, { apiKey: A_KEY });
  expect(service.requests()[0]?.url).toBe('/images/v1/index.php?endpoint=image_generation');
});

test('a key of its own that no header can hold is refused here, at once', async () => {
  const { client, service } = await createClientWorld();
  const failure = await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY, idempotencyKey: 'job 🦊' }));
  expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining('idempotency-key') });
  expect(service.requests()).toEqual([]);
});

test('what the interface does not allow is refused here and never sent', async () => {
  const { client, service } = await createClientWorld();
  const failure = await failureOf(client.submit({ ...SUBMISSION, width: 4_096 }, { apiKey: A_KEY }));
  expect(failure).toMatchObject({ kind: 'refused', code: 'invalid_submission', unclear: false });
  expect(failure).toHaveProperty('reason', expect.stringContaining('width'));
  expect(service.requests()).toEqual([]);
});

test('a key that cannot stand in a header is not accepted, and not shown', async () => {
  const { client, service } = await createClientWorld();
  const failure = await failureOf(client.submit(SUBMISSION, { apiKey: 'sk-line\nbreak' }));
  expect(failure).toMatchObject({ kind: 'unauthorized', unclear: false });
  expect(String(failure)).not.toContain('break');
  expect(service.requests()).toEqual([]);
});

test.each<[string, Behaviour[], number[]]>([
  ['429 with Retry-After', [behave.tooMany(3)], [3_250]],
  ['429 without', [behave.tooMany(), behave.tooMany()], [750, 1_500]],
  ['503 with Retry-After', [behave.refusal(503, 'warming up', { 'retry-after': '2' })], [2_250]],
])('after %s a submission is sent again, after that wait', async (_name, faults, sleeps) => {
  const { client, service, clock } = await createClientWorld();
  service.script('submit', ...faults, service.politely);
  await client.submit(SUBMISSION, { apiKey: A_KEY });
  expect(service.requests('submit')).toHaveLength(faults.length + 1);
  expect(clock.sleeps).toEqual(sleeps);
});

test('a wait that the budget does not cover is left to the caller', async () => {
  const { client, service, clock } = await createClientWorld();
  service.script('submit', behave.tooMany(120));
  const failure = await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY }));
  expect(failure).toMatchObject({ kind: 'busy', status: 429, retryAfterMs: 120_000, unclear: false });
  expect(clock.sleeps).toEqual([]);
});

test('a submission is waited for longer where one that is given up cannot be sent again', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const { client, service } = await createClientWorld();
  async function longestOf(call: Promise<unknown>): Promise<number> {
    await call;
    const longest = Math.max(...timers.mock.calls.map(([, ms = 0]) => ms));
    timers.mockClear();
    return longest;
  }
  const asked = { apiKey: A_KEY };
  expect(await longestOf(client.submit(SUBMISSION, asked))).toBe(120_000);
  expect(await longestOf(client.status('7', asked))).toBe(30_000);
  service.script('submit', (exchange) => {
    exchange.response.setHeader('idempotency-key-supported', 'true');
    return service.politely(exchange);
  });
  await client.submit(SUBMISSION, asked);
  timers.mockClear();
  expect(await longestOf(client.submit(SUBMISSION, asked))).toBe(30_000);
});

test.each<[string, Behaviour, ServiceErrorKind]>([
  ['a connection that breaks', behave.reset(), 'interrupted'],
  ['half an answer', behave.halfBody(), 'interrupted'],
  ['no answer', behave.hang(), 'timeout'],
  ['an answer that never ends', behave.drip(), 'timeout'],
  ['a page with 500', behave.html(500), 'broken'],
  ['503 without Retry-After', behave.refusal(503, 'down'), 'broken'],
  ['a gateway that gave up', behave.html(504), 'broken'],
  ['a page with 200', behave.html(200), 'protocol'],
  ['a page with 404', behave.html(404), 'protocol'],
  ['a page with 403', behave.html(403), 'protocol'],
  ['an answer without an id', behave.answer({ status: 'queued' }), 'protocol'],
  ['something that is not HTTP', behave.gibberish(), 'protocol'],
  ['a redirect after the POST', behave.redirect('/elsewhere', 303), 'protocol'],
])(
  'after %s nobody knows what became of a submission, and it is not sent again',
  async (_name, fault, kind) => {
    const { client, service, clock } = await createClientWorld(kind === 'timeout' ? IMPATIENT : {});
    service.script('submit', fault);
    const failure = await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY, idempotencyKey: 'job-7' }));
    expect(failure).toMatchObject({ name: 'ServiceError', kind, unclear: true });
    expect(service.requests()).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  },
);

test.each<[string, Behaviour, ServiceErrorKind]>([
  ['400', behave.refusal(400, { code: 'missing_prompt', message: 'a prompt is needed' }), 'refused'],
  ['success: false under 200', behave.refusal(200, 'that model is not here'), 'refused'],
  ['402', behave.refusal(402, { code: 'insufficient_balance', message: 'needs 2' }), 'insufficient-balance'],
  ['401', behave.refusal(401, 'no'), 'unauthorized'],
  ['a page that finds it too large', behave.html(413), 'refused'],
])('after %s it is certain that there is no task', async (_name, fault, kind) => {
  const { client, service } = await createClientWorld();
  service.script('submit', fault);
  const failure = await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY }));
  expect(failure).toMatchObject({ kind, unclear: false });
  expect(service.requests()).toHaveLength(1);
});

test('a redirect of the POST is not followed, and a submission that was sent elsewhere did not arrive', async () => {
  const { client, service } = await createClientWorld();
  service.script('submit', behave.redirect('https://images.example.com/?token=opaque', 308));
  const failure = await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY }));
  expect(failure).toMatchObject({ kind: 'unreachable', unclear: false });
  expect(String(failure)).toContain('a redirect to https://images.example.com/');
  expect(String(failure)).not.toContain('opaque');
});

test('a service that cannot be reached is tried within the budget, and nothing is unclear', async () => {
  const clock = createFakeClock({ jumps: true });
  const client = createImageClient({ baseUrl: NOWHERE, clock, random: () => 0.5 });
  onTestFinished(() => client.close());
  const failure = await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY }));
  expect(failure).toMatchObject({ kind: 'unreachable', unclear: false, retryable: true });
  expect(String(failure)).toContain('ECONNREFUSED');
  expect(clock.sleeps).toEqual([750, 1_500, 3_000, 3_750, 3_750, 3_750]);
});

test('a submission that found no free connection in time has not left', async () => {
  const { client, service, clock } = await createClientWorld({ connections: 1, ...IMPATIENT });
  service.script('submit', behave.hang(), service.politely);
  // By a second longer than the other one, which gives up first.
  const hanging = failureOf(client.submit({ prompt: 'first' }, { apiKey: A_KEY, wait: 1 }));
  const queued = client.submit({ prompt: 'second' }, { apiKey: A_KEY });
  expect(await hanging).toMatchObject({ kind: 'timeout', unclear: true });
  expect(await queued).toHaveProperty('taskId');
  const prompts = service.requests('submit').map(({ body }) => JSON.parse(body).prompt);
  expect(prompts).toEqual(['first', 'second']);
  expect(clock.sleeps).toEqual([750]);
});

test('an abort comes through as the caller’s own, before, during and between attempts', async () => {
  const clock = createFakeClock();
  const { client, service } = await createClientWorld({ clock });
  const already = AbortSignal.abort('before');
  expect(await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY, signal: already }))).toBe('before');
  expect(service.requests()).toEqual([]);

  const during = new AbortController();
  service.script('submit', () => during.abort('during'));
  expect(await failureOf(client.submit(SUBMISSION, { apiKey: A_KEY, signal: during.signal }))).toBe('during');

  const between = new AbortController();
  service.script('submit', behave.tooMany());
  const failure = failureOf(client.submit(SUBMISSION, { apiKey: A_KEY, signal: between.signal }));
  await expect.poll(() => clock.asleep).toBe(1);
  between.abort('between');
  expect(await failure).toBe('between');
  expect(service.requests()).toHaveLength(2);
});

test('idempotency is supported while the latest answer says so, and an error without the header changes nothing', async () => {
  const { client, service } = await createClientWorld();
  expect(client.idempotencySupported()).toBe(undefined);
  await client.balance({ apiKey: A_KEY });
  expect(client.idempotencySupported()).toBe(false);
  service.script(
    'status',
    behave.refusal(404, 'no such task', { 'idempotency-key-supported': 'true' }),
    behave.html(502),
    behave.tooMany(),
    service.politely,
  );
  for (const supported of [true, true, true, false]) {
    await client.status('7', { apiKey: A_KEY }).catch(() => undefined);
    expect(client.idempotencySupported()).toBe(supported);
  }
});
