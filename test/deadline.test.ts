import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { isTimeout, unlessAborted, within } from '../src/deadline.ts';
import { failureOf } from './support/failure.ts';

test('work that never ends is left at its deadline, even when it does not listen', async () => {
  const failure = await failureOf(within(5, undefined, () => new Promise(() => {})));
  expect(isTimeout(failure)).toBe(true);
});

test('the caller’s reason comes through untouched, and the work hears of it', async () => {
  const stop = new AbortController();
  const reason = new Error('changed my mind');
  let heard: unknown;
  const failure = failureOf(
    within(60_000, stop.signal, (signal) => {
      signal.addEventListener('abort', () => {
        heard = signal.reason;
      });
      return new Promise(() => {});
    }),
  );
  stop.abort(reason);
  expect(await failure).toBe(reason);
  expect(heard).toBe(reason);
});

test('nothing is begun for a caller who has already left', async () => {
  let begun = false;
  const failure = await failureOf(
    within(60_000, AbortSignal.abort('gone'), async () => {
      begun = true;
    }),
  );
  expect(failure).toBe('gone');
  expect(begun).toBe(false);
});

test('nothing stays behind in a signal that outlives the work', async () => {
  const { signal } = new AbortController();
  expect(await within(60_000, signal, async () => 'done')).toBe('done');
  await failureOf(within(60_000, signal, () => Promise.reject(new Error('failed'))));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('many calls at once may share one signal without a warning of a leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 50 }, () => within(60_000, signal, () => new Promise(setImmediate))),
  );
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('who has left already gets no result, and a failure of the work that nobody waits for is no crash', async () => {
  const gone = AbortSignal.abort('gone');
  expect(await failureOf(unlessAborted(gone, Promise.resolve('done')))).toBe('gone');
  expect(await failureOf(unlessAborted(gone, Promise.reject(new Error('failed'))))).toBe('gone');
  await new Promise(setImmediate);
});

test('a result that comes in time is given, and nothing stays behind in the signal', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, Promise.resolve('done'))).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
