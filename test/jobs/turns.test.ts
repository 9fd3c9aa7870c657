import { createDeferred, createFakeClock } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createTurns } from '../../src/jobs/turns.ts';

const never = new Promise<never>(() => {});

function turnsWorld() {
  const clock = createFakeClock();
  const turns = createTurns({ atOnce: 2, restMs: 100, clock });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, hurried: Promise<unknown> = never) =>
    turns.run(async () => {
      begun.push(name);
      const end = createDeferred<void>();
      ends.set(name, end.resolve);
      await end.promise;
      if (name === 'broken') throw new Error('broken');
      return name;
    }, hurried);
  /** Ends this work, and lets so much time pass. */
  async function end(name: string, passMs = 100): Promise<void> {
    ends.get(name)?.();
    await clock.advance(passMs);
  }
  return { run, begun, end, clock };
}

test('so much is under way at once, the rest follows in order after a pause, also after a failure', async () => {
  const { run, begun, end, clock } = turnsWorld();
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
  const { run, begun, end, clock } = turnsWorld();
  const hurry = createDeferred<void>();
  const all = [run('a'), run('b'), run('c'), run('d', hurry.promise)];
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
