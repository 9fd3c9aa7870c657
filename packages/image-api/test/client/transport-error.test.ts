import { expect, test } from 'vitest';
import { transportError } from '../../src/client/transport-error.ts';

const POST = 'POST /v1/index.php?endpoint=image_generation';

test('a request whose connection was closed while it was written never arrived', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  expect(transportError(broken, POST, true)).toMatchObject({ kind: 'unreachable', unclear: false });
});

test('of a request whose connection broke later nobody knows what became', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  expect(transportError(reset, POST, true)).toMatchObject({ kind: 'interrupted', unclear: true });
});
