import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createOneByOne } from '../src/index.ts';

test('work of one key is done in turn, also after a failure, and that of another at once', async () => {
  const oneByOne = createOneByOne<string>();
  const begun: string[] = [];
  const answer = createDeferred<void>();
  const failing = oneByOne.hold('fox', async () => {
    begun.push('first');
    await answer.promise;
    throw new Error('no');
  });
  const second = oneByOne.hold('fox', async () => void begun.push('second'));
  const leaving = new AbortController();
  const left = oneByOne.hold('fox', async () => void begun.push('left'), { signal: leaving.signal });
  await oneByOne.hold('hare', async () => void begun.push('other'));
  expect(begun).toEqual(['first', 'other']);
  expect([oneByOne.asking('fox'), oneByOne.asking('hare')]).toEqual([3, 0]);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  answer.resolve();
  await expect(failing).rejects.toThrow('no');
  await second;
  expect(begun).toEqual(['first', 'other', 'second']);
  expect(oneByOne.asking('fox')).toBe(0);
});
