import { getEventListeners, once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { failureOf, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isTimeout, raceAbort, withEither, withTimeout } from '../src/timeout.ts';

test('work that never ends is left at its deadline, even when it does not listen', async () => {
  const failure = await failureOf(withTimeout(5, () => new Promise(() => {})));
  expect(isTimeout(failure)).toBe(true);
});

test('an answer that arrived while the process stood still is in time', async () => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(
    `const { parentPort, workerData: answered } = require('node:worker_threads');
     const server = require('node:net').createServer((socket) =>
       socket.once('data', () => socket.end('here', () => {
         Atomics.store(answered, 0, 1);
         Atomics.notify(answered, 0);
       })));
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: answered },
  );
  onTestFinished(() => void server.terminate());
  const [port] = await once(server, 'message');
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const timeoutMs = 5;
  const answer = withTimeout(timeoutMs, () => once(socket, 'data'));
  const askedAt = performance.now();
  socket.write('hello');
  expect(Atomics.wait(answered, 0, 0, WAIT_TIMEOUT_MS)).not.toBe('timed-out');
  while (performance.now() - askedAt < 2 * timeoutMs);
  expect(String(await answer)).toBe('here');
});

test('the caller’s reason comes through untouched, and the work hears of it', async () => {
  const stop = new AbortController();
  const reason = new Error('changed my mind');
  let heard: unknown;
  const failure = failureOf(
    withTimeout(
      60_000,
      (signal) => {
        signal.addEventListener('abort', () => {
          heard = signal.reason;
        });
        return new Promise(() => {});
      },
      { signal: stop.signal },
    ),
  );
  stop.abort(reason);
  expect(await failure).toBe(reason);
  expect(heard).toBe(reason);
});

test('nothing is begun for a caller who has already left', async () => {
  let begun = false;
  const failure = await failureOf(
    withTimeout(
      60_000,
      async () => {
        begun = true;
      },
      { signal: AbortSignal.abort('gone') },
    ),
  );
  expect(failure).toBe('gone');
  expect(begun).toBe(false);
});

test('nothing stays behind in a signal that outlives the work', async () => {
  const { signal } = new AbortController();
  expect(await withTimeout(60_000, async () => 'done', { signal })).toBe('done');
  await failureOf(withTimeout(60_000, () => Promise.reject(new Error('failed')), { signal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('many calls at once may share one signal without a warning of a leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => {
    if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning);
  };
  process.on('warning', note);
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 50 }, () => withTimeout(60_000, () => new Promise(setImmediate), { signal })),
  );
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('where a clock is given its time counts, and the error says what it is told to say', async () => {
  const clock = createFakeClock();
  const message = 'Discord did not answer';
  const failure = failureOf(withTimeout(60_000, () => new Promise(() => {}), { clock, message }));
  await clock.advance(60_000);
  expect(await failure).toMatchObject({ name: 'TimeoutError', message });
  await withTimeout(60_000, async () => 'done', { clock });
  expect(clock.asleep).toBe(0);
});

test('who has left already gets no result, and a failure of the work that nobody waits for is no crash', async () => {
  const gone = AbortSignal.abort('gone');
  expect(await failureOf(raceAbort(gone, Promise.resolve('done')))).toBe('gone');
  expect(await failureOf(raceAbort(gone, Promise.reject(new Error('failed'))))).toBe('gone');
  await new Promise(setImmediate);
});

test('a result that comes in time is given, and nothing stays behind in the signal', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(signal, Promise.resolve('done'))).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([0, 1])(
  'work hears of signal %i of two, with its reason, and listens to neither any longer',
  async (which) => {
    const controllers = [new AbortController(), new AbortController()];
    const signals = controllers.map(({ signal }) => signal);
    const working = withEither(signals, (signal) => raceAbort(signal, new Promise(() => undefined)));
    controllers[which]?.abort('closing');
    expect(await failureOf(working)).toBe('closing');
    expect(await failureOf(withEither(signals, async (signal) => signal.throwIfAborted()))).toBe('closing');
    for (const signal of signals) expect(getEventListeners(signal, 'abort')).toEqual([]);
  },
);
