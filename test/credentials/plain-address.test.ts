import { expect, test } from 'vitest';
import { isReadOnTheWay } from '../../src/credentials/plain-address.ts';

test.each([
  ['http://images.example.com', true],
  ['http://192.168.1.5:8080/api', true],
  ['http://127.0.0.1.example.com', true],
  ['https://images.example.com', false],
  ['http://localhost:4281', false],
  ['http://127.0.0.1:4281', false],
  ['http://[::1]:4281', false],
  ['http://[2001:db8::1]:4281', true],
  ['http://service:4281', false],
  ['embedded', false],
])('whether keys that go to %s can be read on the way: %s', (address, isRead) => {
  expect(isReadOnTheWay(address)).toBe(isRead);
});
