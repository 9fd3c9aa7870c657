import { captureLog } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { DrawingError, type Engine } from '../src/engines/engine.ts';
import { type Budget, createExpenses } from '../src/ledger/expenses.ts';
import { createPrometheus } from '../src/observability/prometheus.ts';
import { instantEngine, paint } from './support/engines.ts';
import { operator } from './support/operator.ts';
import { problemOf, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

/** Eleven in the evening of the last day of a month. */
const LATE = Date.UTC(2030, 5, 30, 23);
const HOUR_MS = 3_600_000;

/** The expenses of several processes on one database. */
async function expensesWorld(budget: Budget, processes = 1) {
  const storage = await testStorage();
  const clock = createFakeClock({ startAt: LATE });
  const { log, lines } = captureLog();
  async function open() {
    const db = await openDatabase(storage.databaseUrl);
    onTestFinished(() => db.destroy());
    return createExpenses({ db, budget, clock, log });
  }
  const first = await open();
  const others = await Promise.all(Array.from({ length: processes - 1 }, open));
  return { clock, lines, expenses: first, all: [first, ...others], open };
}

const money = (amount: number) => ({ unit: 'money', amount }) as const;

test('several processes together spend no more than the budget, to the thousandth', async () => {
  const { all, open } = await expensesWorld({ day: 0.5, month: 10 }, 4);
  const tried = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) => all[at % all.length]?.spend(money(0.03))),
  );
  const refused = tried.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
  expect(refused).toHaveLength(24);
  for (const reason of refused) expect(reason).toBeInstanceOf(DrawingError);
  const restarted = await open();
  expect(await restarted.readings()).toEqual([
    { period: 'month', spent: 0.48, budget: 10, isNearlySpent: false },
    { period: 'day', spent: 0.48, budget: 0.5, isNearlySpent: true },
  ]);
  await restarted.spend(money(0.02));
  await expect(restarted.spend(money(0.000_001))).rejects.toThrow('used up today');
});

test('what did not arise is taken back from the day and the month in which it was written down', async () => {
  const { expenses, clock } = await expensesWorld({ day: 1, month: 1 });
  const takeBack = await expenses.spend(money(0.9));
  await clock.advance(2 * HOUR_MS);
  await expenses.spend(money(0.4));
  await takeBack();
  expect(await expenses.readings()).toMatchObject([{ spent: 0.4 }, { spent: 0.4 }]);
  expect(await expenses.byDay({ from: 22_000, to: 23_000 })).toEqual([
    { day: '2030-07-01', unit: 'money', amount: 0.4 },
  ]);
});

test('a budget that is used up says when there will be more', async () => {
  const { expenses, clock } = await expensesWorld({ day: 1, month: 1.5 });
  expect(await expenses.noRoomFor(1)).toBeUndefined();
  await expenses.spend(money(1));
  expect(await expenses.noRoomFor(0.04)).toEqual({
    reason: 'What this service may spend on pictures is used up today.',
    retryAfterMs: HOUR_MS,
  });
  await clock.advance(HOUR_MS);
  expect(await expenses.noRoomFor(0.04)).toBeUndefined();
  await expenses.spend(money(0.8));
  await clock.advance(24 * HOUR_MS);
  expect(await expenses.noRoomFor(0.8)).toEqual({
    reason: 'What this service may spend on pictures is used up this month.',
    retryAfterMs: 30 * 24 * HOUR_MS,
  });
});

test('at four fifths of a budget one process warns, once', async () => {
  const { all, lines } = await expensesWorld({ day: 1, month: 100 }, 3);
  for (let more = 0; more < 9; more++) await all[more % all.length]?.spend(money(0.1));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('four fifths of SERVICE_BUDGET are spent today');
});

/** Draws at once, for a price that it tells in tokens as well. */
const paidEngine: Engine = {
  ...instantEngine(),
  name: 'paid',
  pictureCost: 0.04,
  async draw(drawing, { spend }) {
    await spend(money(0.04));
    await spend({ unit: 'tokens', amount: 1_068 });
    return paint(drawing);
  },
};

test('beyond the budget nothing is taken, and /readyz, the metrics and usage tell what was spent', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({
    storage,
    engine: paidEngine,
    rr3Engine: { ...instantEngine(), name: 'free' },
    budget: { day: 0.1 },
    prometheus: createPrometheus(),
  });
  for (let more = 0; more < 2; more++) await world.until(await world.submitted({ prompt: 'a fox' }));
  const refused = await world.submit({ prompt: 'a fox' });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await problemOf(refused)).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('used up today. Nothing was queued or charged'),
  });
  expect(await world.balance()).toBe(98);
  expect(await world.until(await world.submitted({ prompt: 'a fox', workflow: 'rr3' }))).toMatchObject({
    status: 'completed',
  });
  expect(JSON.parse(await (await world.call('/readyz')).text()).checks.budget).toEqual({
    state: 'degraded',
    reason: '0.08 of 0.1 this day is spent',
  });
  const metrics = await (await world.call('/metrics')).text();
  expect(metrics).toContain('image_service_spent{period="day"} 0.08');
  expect(metrics).toContain('image_service_budget{period="day"} 0.1');
  const [usage] = JSON.parse(await run('--json', 'usage'));
  expect(usage).toMatchObject({ completed: 3, credits: 3, cost: 0.08, tokens: 2_136 });
  expect(await run('usage', world.username)).not.toContain('tokens');
});
