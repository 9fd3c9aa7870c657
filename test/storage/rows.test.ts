import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEachStore } from '../support/each-store.ts';

describeEachStore((open) => {
  test('a row is deleted where it is what it is taken for, and what others write meanwhile stays', async () => {
    const numbers = (await open()).collection('numbers', z.number());
    for (let nth = 0; nth < 20; nth++) {
      await numbers.set('a', 1);
      await Promise.all([numbers.deleteIf('a', (value) => value === 1), numbers.set('a', 2)]);
      expect(await numbers.get('a')).toBe(2);
    }
    expect(await numbers.deleteIf('a', (value) => value === 1)).toBe(false);
    expect(await numbers.deleteIf('a', (value) => value === 2)).toBe(true);
    expect(await numbers.get('a')).toBeUndefined();
  });
});
