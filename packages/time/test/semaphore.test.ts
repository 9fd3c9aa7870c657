import { createDeferred, failureOf } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSemaphore } from '../src/index.ts';

const held = () => new Promise<never>(() => {});

test('no more is taken at once than there is, unless one needs more by itself, and all have their turn', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const semaphore = createSemaphore(100);
      let taken = 0;
      const order: number[] = [];
      await Promise.all(
        all.map((share, index) =>
          semaphore.hold(share, async () => {
            order.push(index);
            taken += Math.min(share, 100);
            expect(taken).toBeLessThanOrEqual(100);
            await new Promise(setImmediate);
            taken -= Math.min(share, 100);
          }),
        ),
      );
      expect(order).toEqual(all.map((_, index) => index));
    }),
    { numRuns: 30 },
  );
});

test.each([
  [1, 8],
  [1 / 4, 2],
  [1 / 15, 1],
])('of %s of it all only that part is taken at once, and within a time', async (part, atOnce) => {
  const clock = createFakeClock();
  const semaphore = createSemaphore(8, { rest: { ms: 300, clock }, part: () => part });
  let begun = 0;
  for (let nth = 0; nth < 300; nth += 1) void semaphore.hold(1, async () => void begun++);
  await clock.settle();
  expect(begun).toBe(atOnce);
  await clock.advance(8_999);
  expect(Math.abs(begun - 8 * 30 * part)).toBeLessThanOrEqual(atOnce);
});

test('what takes nothing waits for nobody', async () => {
  const semaphore = createSemaphore(100);
  void semaphore.hold(100, held);
  void semaphore.hold(100, held);
  expect(await semaphore.hold(0, async () => 'said')).toBe('said');
});

test('who gives up while waiting leaves its place, and a failure its room', async () => {
  const semaphore = createSemaphore(100);
  const impatient = new AbortController();
  const end = createDeferred<void>();
  const first = semaphore.hold(60, () => end.promise);
  const second = failureOf(semaphore.hold(60, () => Promise.resolve(), { signal: impatient.signal }));
  const third = semaphore.hold(40, () => Promise.reject(new Error('broken')));
  impatient.abort(new Error('given up'));
  expect(await second).toMatchObject({ message: 'given up' });
  expect(await failureOf(third)).toMatchObject({ message: 'broken' });
  end.resolve();
  await first;
  expect(await semaphore.hold(100, () => Promise.resolve('room'))).toBe('room');
});

test('what is acquired is given back once, also where that is said twice', async () => {
  const semaphore = createSemaphore(2);
  const first = await semaphore.acquire(1);
  const second = semaphore.tryAcquire(1);
  expect(second).toBeDefined();
  expect(semaphore.tryAcquire(1)).toBeUndefined();
  first();
  first();
  expect(semaphore.tryAcquire(1)).toBeDefined();
  expect(semaphore.tryAcquire(1)).toBeUndefined();
});

test('nobody overtakes who waits for more', async () => {
  const semaphore = createSemaphore(10);
  const release = await semaphore.acquire(1);
  const whole = semaphore.acquire(10);
  expect(semaphore.tryAcquire(1)).toBeUndefined();
  release();
  const releaseWhole = await whole;
  releaseWhole();
  expect(semaphore.tryAcquire(10)).toBeDefined();
});

describe('with a rest after each', () => {
  function restingWorld() {
    const clock = createFakeClock();
    const semaphore = createSemaphore(2, { rest: { ms: 100, clock } });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (name: string, options?: { hurried: Promise<unknown> }) =>
      semaphore.hold(
        1,
        async () => {
          begun.push(name);
          const end = createDeferred<void>();
          ends.set(name, end.resolve);
          await end.promise;
          if (name === 'broken') throw new Error('broken');
          return name;
        },
        options,
      );
    /** Ends this work, and lets so much time pass. */
    async function end(name: string, passMs = 100): Promise<void> {
      ends.get(name)?.();
      await clock.advance(passMs);
    }
    return { run, begun, end, clock };
  }

  test('so much is under way at once, the rest follows in order after a pause, also after a failure', async () => {
    const { run, begun, end, clock } = restingWorld();
    const broken = run('broken').catch((error: Error) => error.message);
    const others = ['b', 'c', 'd'].map((name) => run(name));
    await clock.settle();
    expect(begun).toEqual(['broken', 'b']);
    await end('broken', 99);
    expect(await broken).toBe('broken');
    expect(begun).toEqual(['broken', 'b']);
    await clock.advance(1);
    expect(begun).toEqual(['broken', 'b', 'c']);
    await end('b');
    expect(begun).toEqual(['broken', 'b', 'c', 'd']);
    await end('c');
    await end('d');
    expect(await Promise.all(others)).toEqual(['b', 'c', 'd']);
  });

  test('what is in a hurry begins at once, and takes nobody’s turn for good', async () => {
    const { run, begun, end, clock } = restingWorld();
    const hurry = createDeferred<void>();
    const all = [run('a'), run('b'), run('c'), run('d', { hurried: hurry.promise })];
    await clock.settle();
    expect(begun).toEqual(['a', 'b']);
    hurry.resolve();
    await clock.settle();
    expect(begun).toEqual(['a', 'b', 'd']);
    await end('d');
    expect(begun).toEqual(['a', 'b', 'd']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'd', 'c']);
    await end('b');
    await end('c');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });
});
