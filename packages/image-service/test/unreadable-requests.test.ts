import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { apiError } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { problemOf, serviceWorld } from './support/service.ts';

test('a body that is no UTF-8 is refused, and nothing is queued', async () => {
  const world = await serviceWorld();
  const answer = await world.call('/v1/index.php?endpoint=image_generation', {
    method: 'POST',
    headers: { 'x-api-key': world.key, 'content-type': 'application/json' },
    body: Buffer.from('{"prompt":"a f\u00fcx"}', 'latin1'),
  });
  expect([answer.status, (await problemOf(answer)).message]).toEqual([
    400,
    'The request cannot be understood: its body is not valid UTF-8.',
  ]);
  expect(await world.balance()).toBe(100);
});

test('a compressed body is refused with how to send it, and nothing is queued', async () => {
  const world = await serviceWorld();
  const submit = (coding: string, body: string | Buffer) =>
    world.call('/v1/index.php?endpoint=image_generation', {
      method: 'POST',
      headers: { 'x-api-key': world.key, 'content-type': 'application/json', 'content-encoding': coding },
      body,
    });
  const json = JSON.stringify({ prompt: 'a fox' });
  const upload = new FormData();
  upload.set('image', new Blob(['no picture']));
  const refused = [
    submit('gzip', gzipSync(json)),
    submit('identity, br', brotliCompressSync(json)),
    submit('X-GZip', gzipSync(json)),
    world.call('/v1/upload', {
      method: 'POST',
      headers: { 'x-api-key': world.key, 'content-encoding': 'gzip' },
      body: upload,
    }),
  ];
  for (const answer of await Promise.all(refused)) {
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    expect(await problemOf(answer)).toMatchObject({
      code: 'unsupported_media_type',
      message: 'Send the body as it is, without a Content-Encoding.',
    });
  }
  expect(await world.balance()).toBe(100);
  // Some name their charset there.
  for (const coding of ['Identity', 'UTF-8', ''])
    expect([coding, (await submit(coding, json)).status]).toEqual([coding, 200]);
});

test('what is wrong with a request is said of its body only where it is that', async () => {
  const world = await serviceWorld();
  const cut = await world.call('/v1/dry_run', {
    method: 'POST',
    headers: { 'x-api-key': world.key, 'content-type': 'application/json' },
    body: '{"prompt":',
  });
  const beyond = await world.call('/static/logo.svg', { headers: { range: 'bytes=9999999-' } });
  expect([(await problemOf(cut)).message, (await problemOf(beyond)).message]).toEqual([
    'The request cannot be understood: its body is not valid JSON.',
    'The request cannot be understood.',
  ]);
});

const BALANCE = 'GET /v1/index.php?endpoint=user_balance HTTP/1.1\r\nConnection: close\r\n';

test.each([
  ['that are no HTTP', 'this is not http\r\n\r\n', 400, 'invalid_request'],
  ['of large headers', `GET / HTTP/1.1\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['that stop half way', 'GET / HTTP/1.1\r\nHost: serv', 408, 'request_timeout'],
  ['without a host', `${BALANCE}\r\n`, 400, 'invalid_request'],
  ['of two hosts', `${BALANCE}Host: a\r\nhost: a\r\n\r\n`, 400, 'invalid_request'],
  ['of a host that is none', `${BALANCE}Host: a/b\r\n\r\n`, 400, 'invalid_request'],
  [
    'of two hosts to nowhere',
    `GET /x HTTP/1.1\r\nConnection: close\r\nHost: a\r\nHost: b\r\n\r\n`,
    400,
    'invalid_request',
  ],
])('bytes %s get the envelope too', async (_, sent, status, code) => {
  const world = await serviceWorld({ limits: status === 408 ? { headersMs: 500 } : {} });
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(sent);
  const [head = '', answered = ''] = (await text(socket)).split('\r\n\r\n');
  const { error } = apiError.strict().parse(JSON.parse(answered));
  expect([head.split(' ')[1], error.code]).toEqual([String(status), code]);
  expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(head).toContain(`x-request-id: ${error.request_id}\r\n`);
  expect(head).toContain('cache-control: no-store\r\n');
});

test.each(['service', 'service:8000', '[::1]:8000', '', 'a%2Db_c.example.'])('%o is a host', async (host) => {
  const world = await serviceWorld();
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(`GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
});

test('HTTP/1.0 needs no host', async () => {
  const world = await serviceWorld();
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write('GET /healthz HTTP/1.0\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
});
