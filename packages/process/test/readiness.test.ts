import { captureLog, createDeferred } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { type Check, createReadiness } from '../src/readiness.ts';

const well: Check = () => ({ state: 'ok', reason: 'answers' });

function world(checks: Record<string, Check>) {
  const clock = createFakeClock();
  const { log, lines } = captureLog();
  return { clock, lines, ask: createReadiness(checks, { log, clock }) };
}

test('it is ready where every check is well, and says what each has found', async () => {
  const { ask } = world({ store: well, gateway: () => ({ state: 'ok', reason: '1 of 1' }) });
  expect(await ask()).toEqual({
    ready: true,
    checks: {
      store: { state: 'ok', reason: 'answers' },
      gateway: { state: 'ok', reason: '1 of 1' },
    },
  });
});

test('one thing that fails is enough, and the others are still named', async () => {
  const { ask } = world({ store: well, gateway: () => ({ state: 'failing', reason: '0 of 1' }) });
  expect(await ask()).toEqual({
    ready: false,
    checks: {
      store: { state: 'ok', reason: 'answers' },
      gateway: { state: 'failing', reason: '0 of 1' },
    },
  });
});

test('what an error says stays in the log', async () => {
  const { ask, lines } = world({
    store: () => Promise.reject(new Error('postgres://ann@db.example: no route')),
  });
  const { checks } = await ask();
  expect(checks).toEqual({ store: { state: 'failing', reason: 'failed; the log says why' } });
  expect(lines.join('')).toContain('db.example: no route');
  expect(lines.join('')).toContain('"check":"store"');
});

test('what fails whenever somebody asks is told once, and again after it was well', async () => {
  let isWell = false;
  const { ask, clock, lines } = world({
    store: () => (isWell ? { state: 'ok', reason: 'answers' } : Promise.reject(new Error('no room'))),
  });
  const askAgain = async (now: { isWell: boolean }) => {
    isWell = now.isWell;
    await clock.advance(5_000);
    await ask();
    return lines.filter((line) => JSON.parse(line).level >= 40).length;
  };
  expect(await askAgain({ isWell: false })).toBe(1);
  expect(await askAgain({ isWell: false })).toBe(1);
  await askAgain({ isWell: true });
  expect(await askAgain({ isWell: false })).toBe(2);
});

test('a check that does not answer is failing after two seconds, and is told to stop', async () => {
  let stopped: AbortSignal | undefined;
  const { ask, clock } = world({
    store(signal) {
      stopped = signal;
      return createDeferred<never>().promise;
    },
  });
  const asked = ask();
  await clock.advance(2_000);
  expect((await asked).checks).toEqual({ store: { state: 'failing', reason: 'no answer within 2 s' } });
  expect(stopped?.aborted).toBe(true);
});

test('whoever asks again within five seconds gets the same findings', async () => {
  let asked = 0;
  const { ask, clock } = world({
    store: () => ({ state: 'ok', reason: `asked ${++asked} times` }),
  });
  await Promise.all([ask(), ask()]);
  await clock.advance(4_999);
  await ask();
  expect(asked).toBe(1);
  await clock.advance(1);
  expect((await ask()).checks).toEqual({ store: { state: 'ok', reason: 'asked 2 times' } });
});
