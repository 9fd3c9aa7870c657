import { expect, test } from 'vitest';
import { plainText } from '../../../src/playground/demo/reply-status.ts';

test('markdown and times that move are left out of a terminal', () => {
  expect(plainText('**a \\*red\\* fox**\n-# `▰▰▱` 66 % · Developing · <t:1795266026:R>')).toBe(
    'a red fox\n▰▰▱ 66 % · Developing',
  );
});

test('whom a message is for is left out of a terminal', () => {
  expect(plainText('<@400000000000000007> · Couldn’t make **a fox**')).toBe('Couldn’t make a fox');
});
