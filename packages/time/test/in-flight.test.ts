import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createInFlight } from '../src/index.ts';

test('what is in flight is waited for, however it ends, and no longer than that', async () => {
  const inFlight = createInFlight();
  const first = createDeferred<string>();
  const second = createDeferred<string>();
  const failure = new Error('failed');
  const failing = second.promise.then(() => Promise.reject(failure));
  const added = Promise.allSettled([inFlight.add(first.promise), inFlight.add(failing)]);

  let isSettled = false;
  const settled = inFlight.settled().then(() => {
    isSettled = true;
  });
  first.resolve('done');
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  second.resolve('about to fail');
  await settled;

  expect(await added).toEqual([
    { status: 'fulfilled', value: 'done' },
    { status: 'rejected', reason: failure },
  ]);
  await inFlight.settled();
});
