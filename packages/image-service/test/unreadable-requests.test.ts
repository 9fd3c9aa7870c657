import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorEnvelope } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { serviceWorld } from './support/service.ts';

test.each([
  ['that are no HTTP', 'this is not http\r\n\r\n', 400, 'invalid_request'],
  ['of large headers', `GET / HTTP/1.1\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['that stop half way', 'GET / HTTP/1.1\r\nHost: serv', 408, 'request_timeout'],
])('bytes %s get the envelope too', async (_, sent, status, code) => {
  const world = await serviceWorld();
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(sent);
  const [head = '', answered = ''] = (await text(socket)).split('\r\n\r\n');
  const { error } = errorEnvelope().strict().parse(JSON.parse(answered));
  expect([head.split(' ')[1], error.code]).toEqual([String(status), code]);
  expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(head).toContain(`x-request-id: ${error.request_id}\r\n`);
});
