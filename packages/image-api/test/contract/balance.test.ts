import { expect, test } from 'vitest';
import { balance as operation } from '../../src/contract/balance.ts';

test.each([
  [12.5, 12.5],
  ['12.50', 12.5],
  [' -3 ', -3],
  [0, 0],
])('a balance of %j is %d credits', (balance, credits) => {
  expect(operation.answer.read.parse({ balance })).toMatchObject({ balance: credits, currency: 'credits' });
});

test.each([undefined, null, '', 'plenty', '1e400', Number.POSITIVE_INFINITY, '9'.repeat(400)])(
  'a balance of %j is none',
  (balance) => {
    expect(operation.answer.read.safeParse({ balance }).success).toBe(false);
  },
);

test('what belongs to the balance may be missing or odd', () => {
  expect(operation.answer.read.parse({ balance: 1, user_id: '7', username: null })).toMatchObject({
    accountId: '7',
  });
  expect(operation.answer.read.parse({ balance: 1, user_id: {}, currency: 7 })).toMatchObject({
    accountId: undefined,
  });
});
