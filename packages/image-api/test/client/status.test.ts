import { getEventListeners } from 'node:events';
import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import type { ServiceErrorKind } from '../../src/service-error.ts';
import * as behave from '../support/behaviours.ts';
import type { Behaviour } from '../support/exchange.ts';
import { createClientWorld, IMPATIENT } from '../support/image-client.ts';
import { A_KEY } from '../support/polite-service.ts';

test('a status asks for one task by its id, whatever characters are in it', async () => {
  const { client, service } = await createClientWorld();
  await client.status('a b&endpoint=user_balance', { apiKey: A_KEY });
  const [request] = service.requests('status');
  expect(request?.method).toBe('GET');
  expect(request?.url).toBe('/v1/index.php?endpoint=task_status&task_id=a+b%26endpoint%3Duser_balance');
  expect(request?.body).toBe('');
  expect(request?.headers['x-api-key']).toBe(A_KEY);
});

test.each<[string, Behaviour, object]>([
  ['a byte order mark', behave.withByteOrderMark({ id: '7', status: 'pending' }), { state: 'pending' }],
  ['an unknown word', behave.task({ status: 'defrosting' }), { state: 'processing' }],
  ['progress as text', behave.task({ progress: '45%' }), { progress: 45 }],
  ['progress as a fraction', behave.task({ progress: 0.45 }), { progress: 45 }],
  ['no progress', behave.task({ progress: undefined }), { progress: undefined }],
  [
    'completed without an address',
    behave.task({ status: 'completed' }),
    { state: 'completed', imageUrl: undefined },
  ],
  [
    'a relative address',
    behave.task({ status: 'completed', result: { image_url: '/p/7.png' } }),
    { imageUrl: '/p/7.png' },
  ],
  ['a numeric id', behave.task({ id: 7 }), { id: '7' }],
  [
    'an id too large for a number',
    behave.raw(
      '{"success":true,"data":{"id":12345678901234567890,"status":"queued"},"error":null}',
      'application/json',
    ),
    { id: '12345678901234567890' },
  ],
  [
    'a date in words of a database',
    behave.task({ created_at: '2026-01-02 03:04:05' }),
    { createdAt: new Date('2026-01-02T03:04:05Z') },
  ],
  [
    'no content type',
    behave.json({ success: true, data: { status: 'pending' } }, { headers: { 'content-type': '' } }),
    { state: 'pending' },
  ],
])('a task with %s is read', async (_name, behaviour, expected) => {
  const { client, service } = await createClientWorld();
  service.script('status', behaviour);
  expect(await client.status('7', { apiKey: A_KEY })).toMatchObject(expected);
});

test('a failed task is an answer, not an error', async () => {
  const { client, service } = await createClientWorld();
  service.script('status', behave.task({ status: 'failed', error: 'Task processing failed or timed out' }));
  expect(await client.status('7', { apiKey: A_KEY })).toMatchObject({
    state: 'failed',
    reason: 'Task processing failed or timed out',
  });
});

test.each<[string, Behaviour, ServiceErrorKind, object?]>([
  ['429 with Retry-After', behave.tooMany(5), 'busy', { retryAfterMs: 5_000 }],
  ['429 without', behave.tooMany(), 'busy', { retryAfterMs: undefined }],
  [
    '404',
    behave.refusal(404, { code: 'task_not_found', message: 'no such task' }),
    'not-found',
    { code: 'task_not_found' },
  ],
  ['a page with 404', behave.html(404), 'protocol', { status: 404 }],
  ['plain words with 404', behave.raw('404 page not found', 'text/plain', { status: 404 }), 'protocol'],
  ['a page with 403', behave.html(403), 'protocol', { status: 403 }],
  ['the JSON of a gateway with 401', behave.json({ message: 'Unauthorized' }, { status: 401 }), 'protocol'],
  ['401', behave.refusal(401, 'Invalid key'), 'unauthorized'],
  ['403', behave.refusal(403, 'Forbidden'), 'unauthorized'],
  ['a redirect that stays', behave.redirect('/elsewhere', 308), 'unreachable'],
  ['500', behave.html(500), 'broken', { status: 500 }],
  ['a reset', behave.reset(), 'interrupted'],
  ['half a body', behave.halfBody(), 'interrupted'],
  ['silence', behave.hang(), 'timeout'],
  ['a slow body', behave.drip(), 'timeout'],
  ['a body without end', behave.raw(Buffer.alloc(2 * 1024 ** 2, ' '), 'application/json'), 'protocol'],
  [
    'more values than are read',
    behave.answer({ status: 'completed', result: { images: Array(100_000).fill(1) } }),
    'protocol',
    { message: expect.stringContaining('more than 20000 values') },
  ],
  ['a header without end', behave.json({}, { headers: { 'x-long': 'x'.repeat(20_000) } }), 'protocol'],
  ['success: false', behave.refusal(200, 'Task not found'), 'not-found'],
  ['a status of no task', behave.task({ status: 'Task not found' }), 'not-found'],
  ['no status', behave.answer({ id: '7' }), 'protocol'],
  ['no data', behave.json({ success: true, data: null, error: null }), 'protocol'],
  ['an empty body', behave.raw('', 'application/json'), 'protocol'],
])('%s is one attempt and its own error', async (_name, behaviour, kind, details = {}) => {
  const { client, service, clock } = await createClientWorld(kind === 'timeout' ? IMPATIENT : {});
  service.script('status', behaviour);
  const failure = await failureOf(client.status('7', { apiKey: A_KEY }));
  expect(failure).toMatchObject({ name: 'ServiceError', kind, ...details });
  expect(String(failure)).toContain('GET /v1/index.php?endpoint=task_status');
  expect(service.requests()).toHaveLength(1);
  expect(clock.sleeps).toEqual([]);
});

test('an error carries the service’s own sentence and request id, short and without secrets', async () => {
  const { client, service } = await createClientWorld();
  const echo = `key ${A_KEY} may not\r\n do this. ${'x'.repeat(1_000)}`;
  service.script('status', behave.refusal(400, echo, { 'x-request-id': `req-7 ${A_KEY}` }));
  const failure = await failureOf(client.status('7', { apiKey: A_KEY }));
  expect(failure).toMatchObject({
    reason: expect.stringMatching(/^key \[secret\] may not do this\. x+…$/),
    requestId: 'req-7 [secret]',
  });
  expect(JSON.stringify(failure) + String(failure)).not.toContain(A_KEY.slice(0, 20));
  expect(failure).toHaveProperty('reason.length', 500);
});

test('what is not JSON is quoted, shortly', async () => {
  const { client, service } = await createClientWorld();
  service.script(
    'status',
    behave.raw(`<h1>Down</h1>${' '.repeat(90)}\n<p>${'soon '.repeat(200)}`, 'text/html'),
  );
  const failure = await failureOf(client.status('7', { apiKey: A_KEY }));
  expect(String(failure)).toContain('answered something other than JSON: <h1>Down</h1> <p>soon');
  expect(String(failure).length).toBeLessThan(320);
});

test('a call that ends leaves nothing behind on the signal that outlives it', async () => {
  const { client, service } = await createClientWorld();
  const { signal } = new AbortController();
  service.script('status', behave.task({}), behave.html(500), behave.reset());
  for (let call = 0; call < 3; call += 1) {
    await client.status('7', { apiKey: A_KEY, signal }).catch(() => undefined);
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a call that is aborted while it waits for a connection rejects at once, and is never sent', async () => {
  const { client, service } = await createClientWorld({ connections: 1 });
  let answer = () => {};
  service.script('status', (exchange) => {
    answer = () => void behave.task({})(exchange);
  });
  const first = client.status('first', { apiKey: A_KEY });
  await expect.poll(() => service.requests('status')).toHaveLength(1);
  const stop = new AbortController();
  const second = failureOf(client.status('second', { apiKey: A_KEY, signal: stop.signal }));
  stop.abort('enough');
  expect(await second).toBe('enough');
  service.script('status', service.politely);
  answer();
  await first;
  await client.status('third', { apiKey: A_KEY });
  const asked = service
    .requests('status')
    .map(({ url }) => new URL(url, service.baseUrl).searchParams.get('task_id'));
  expect(asked).toEqual(['first', 'third']);
});
