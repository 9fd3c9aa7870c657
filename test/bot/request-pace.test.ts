import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRequestPace } from '../../src/bot/request-pace.ts';
import { NoBudgetError } from '../../src/delivery/classify-discord-error.ts';

test('no second has more requests than may be, wherever it begins and whenever they come', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 8 }), async (waits, perSecond) => {
      const clock = createFakeClock({ jumps: true });
      const pace = createRequestPace(() => perSecond, { clock });
      const left: number[] = [];
      for (const ms of waits) {
        await clock.sleep(ms);
        await pace({ isQuestion: ms > 200 });
        left.push(clock.now());
      }
      for (const from of left) {
        expect(left.filter((at) => at >= from && at <= from + 1_000).length).toBeLessThanOrEqual(perSecond);
      }
    }),
  );
});

test('the first requests of a quiet second leave at once', async () => {
  const clock = createFakeClock({ jumps: true });
  const pace = createRequestPace(() => 50, { clock });
  for (let count = 0; count < 50; count += 1) await pace({ isQuestion: count >= 45 });
  expect(clock.sleeps).toEqual([]);
  await pace();
  expect(clock.sleeps).toHaveLength(1);
});

test('a question that somebody waits for leaves at once, and more of them before whatever else waits', async () => {
  const clock = createFakeClock();
  const pace = createRequestPace(() => 5, { clock });
  const left: string[] = [];
  const leaves = async (name: string, isQuestion = false) => {
    await pace({ isQuestion });
    left.push(name);
  };
  for (let nth = 0; nth < 50; nth += 1) void leaves('notice');
  await clock.settle();
  expect(left).toEqual(Array(4).fill('notice'));
  void leaves('question', true);
  await clock.settle();
  expect(left.at(-1)).toBe('question');
  for (let nth = 0; nth < 4; nth += 1) void leaves('question', true);
  await clock.advance(1_200);
  expect(left.filter((name) => name === 'question')).toHaveLength(5);
  await clock.advance(30_000);
  expect(left).toHaveLength(55);
});

test('after another process no request leaves within a second, and then as many as may be', async () => {
  const clock = createFakeClock({ jumps: true });
  const startedAt = clock.now();
  const pace = createRequestPace(() => 50, { clock, afterAnother: true });
  await pace();
  expect(clock.now() - startedAt).toBeGreaterThan(1_000);
  for (let count = 1; count < 45; count += 1) await pace();
  expect(clock.sleeps).toHaveLength(1);
});

test('of thousands that wait only the first looks at the clock', async () => {
  const clock = createFakeClock();
  const pace = createRequestPace(() => 1, { clock });
  for (let nth = 0; nth < 1_000; nth += 1) void pace();
  await clock.settle();
  expect(clock.sleeps).toHaveLength(1);
});

test('who no longer waits for its turn keeps nobody from theirs', async () => {
  const clock = createFakeClock();
  const pace = createRequestPace(() => 1, { clock });
  await pace();
  const gone = new AbortController();
  const refused = [pace({ signal: gone.signal }), pace({ signal: gone.signal })];
  const later = pace();
  gone.abort(new Error('nobody waits'));
  for (const request of refused) await expect(request).rejects.toThrow();
  await clock.advance(1_200);
  await later;
});

test('what would wait for its turn for long is refused, and comes back when it can leave', async () => {
  const clock = createFakeClock();
  const pace = createRequestPace(() => 50, { clock });
  const waits: number[] = [];
  let refused = 0;
  async function leave(): Promise<void> {
    const askedAt = clock.now();
    try {
      await pace({ isRefusable: true });
      waits.push(clock.now() - askedAt);
    } catch (error) {
      if (!(error instanceof NoBudgetError)) throw error;
      refused += 1;
      await clock.sleep(error.waitMs);
      await leave();
    }
  }
  const all = Array.from({ length: 5_000 }, leave);
  await clock.advance(140_000);
  await Promise.all(all);
  expect(Math.max(...waits)).toBeLessThan(7_500);
  expect(refused).toBeLessThan(2 * 5_000);
});
