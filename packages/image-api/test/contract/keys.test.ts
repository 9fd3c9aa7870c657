import { expect, test } from 'vitest';
import { apiKey, getKey, revokeKey } from '../../src/contract/keys.ts';

const A_KEY = `sk-${'0123456789abcdef'.repeat(3)}`;

test.each([
  [{ api_key: A_KEY }, { apiKey: A_KEY }],
  [{ key: A_KEY }, { apiKey: A_KEY }],
  [A_KEY, { apiKey: A_KEY }],
  [[{ api_key: A_KEY }, { api_key: 'sk-older' }], { apiKey: A_KEY }],
  [{ api_key: 'sk-****cdef' }, { masked: 'sk-****cdef' }],
  [{ api_key: 'sk-01...cdef' }, { masked: 'sk-01...cdef' }],
  [{ api_key: null }, {}],
  [null, {}],
  [[], {}],
  [7, {}],
])('the key in %j is %j', (data, expected) => {
  const { apiKey, masked } = getKey.answer.read.parse(data);
  expect({ apiKey, masked }).toEqual({ apiKey: undefined, masked: undefined, ...expected });
});

test.each([
  [{ revoked: 2 }, 2],
  [{ revoked: '2' }, 2],
  [{}, undefined],
  [null, undefined],
  [undefined, undefined],
])('the answer %j says that %j keys were revoked', (data, revoked) => {
  expect(revokeKey.answer.read.parse(data)).toEqual({ revoked });
});

test('a key is sk- and 48 hexadecimal characters', () => {
  expect(apiKey.safeParse(A_KEY).success).toBe(true);
  for (const other of ['', A_KEY.slice(1), `${A_KEY}0`, A_KEY.replace('0', 'g'), ` ${A_KEY}`]) {
    expect(apiKey.safeParse(other).success).toBe(false);
  }
});
