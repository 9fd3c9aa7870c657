import { captureLog } from '@darkroom/testing';
import { DAY_MS, HOUR_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { DrawingError, type Engine } from '../src/engines/engine.ts';
import { createUpscaler } from '../src/engines/upscaling/upscaler.ts';
import { withUpscaling } from '../src/engines/upscaling/with-upscaling.ts';
import type { Budget } from '../src/ledger/budget.ts';
import { dayOf } from '../src/ledger/days.ts';
import { createExpenses } from '../src/ledger/expenses.ts';
import { createPrometheus } from '../src/observability/prometheus.ts';
import { instantEngine, paint } from './support/engines.ts';
import { operator } from './support/operator.ts';
import { problemOf, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

/** Eleven in the evening of the last day of a month. */
const LATE = Date.UTC(2030, 5, 30, 23);

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

test('whatever a machine says that a picture took can be written down', async () => {
  const { expenses } = await expensesWorld({});
  await expenses.spend({ unit: 'kudos', amount: 1e300 });
  await expenses.spend({ unit: 'kudos', amount: 10 });
  const today = dayOf(LATE);
  expect(await expenses.byDay({ from: today, to: today })).toEqual([
    { day: '2030-06-30', unit: 'kudos', amount: 1_000_010 },
  ]);
});

test('what did not arise is taken back from the day and the month in which it was written down', async () => {
  const { expenses, clock } = await expensesWorld({ day: 1, month: 1 });
  await expenses.spend({ unit: 'tokens', amount: 1_068 });
  const takeBack = await expenses.spend(money(0.9));
  await clock.advance(2 * HOUR_MS);
  await expenses.spend(money(0.4));
  await takeBack();
  expect(await expenses.readings()).toMatchObject([{ spent: 0.4 }, { spent: 0.4 }]);
  expect(await expenses.byDay({ from: 22_000, to: 23_000 })).toEqual([
    { day: '2030-06-30', unit: 'tokens', amount: 1_068 },
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
  await clock.advance(DAY_MS);
  expect(await expenses.noRoomFor(0.8)).toEqual({
    reason: 'What this service may spend on pictures is used up this month.',
    retryAfterMs: 30 * DAY_MS,
  });
});

test('without a budget nothing is read before a picture', async () => {
  const { databaseUrl } = await testStorage();
  const asked: string[] = [];
  const db = await openDatabase(databaseUrl, { onStatement: (kind) => void asked.push(kind) });
  onTestFinished(() => db.destroy());
  const expenses = createExpenses({ db, clock: createFakeClock() });
  asked.length = 0;
  expect(await expenses.noRoomFor(1)).toBeUndefined();
  expect(asked).toEqual([]);
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
  isPaid: true,
  async draw(drawing, { spend, cost = 0 }) {
    await spend(money(cost));
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
    pictureCost: 0.04,
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
  const budget = async () => JSON.parse(await (await world.call('/readyz')).text()).checks.budget;
  await expect.poll(budget).toEqual({ state: 'degraded', reason: '0.08 of 0.1 this day is spent' });
  const metrics = await (await world.call('/metrics')).text();
  expect(metrics).toContain('image_service_spent{period="day"} 0.08');
  expect(metrics).toContain('image_service_budget{period="day"} 0.1');
  const [usage] = JSON.parse(await run('--json', 'usage'));
  expect(usage).toMatchObject({ completed: 3, credits: 3, cost: 0.08, tokens: 2_136 });
  expect(await run('usage', world.username)).not.toContain('tokens');
});

test('each workflow costs what its operator says, and the budget counts that', async () => {
  const world = await serviceWorld({
    engine: paidEngine,
    workflows: { fine: { engine: 'paid', cost: 0.25 }, free: { engine: 'instant' } },
    rr3Engine: instantEngine(),
    pictureCost: 0.04,
    budget: { day: 0.3 },
    prometheus: createPrometheus(),
  });
  const spent = async () =>
    /image_service_spent\{period="day"\} (.*)/.exec(await (await world.call('/metrics')).text())?.[1];
  await world.until(await world.submitted({ prompt: 'a fox', workflow: 'fine' }));
  expect(await spent()).toBe('0.25');
  expect((await world.submit({ prompt: 'a fox', workflow: 'fine' })).status).toBe(503);
  await world.until(await world.submitted({ prompt: 'a fox' }));
  expect(await spent()).toBe('0.29');
  expect((await world.submit({ prompt: 'a fox' })).status).toBe(503);
  expect(await world.until(await world.submitted({ prompt: 'a fox', workflow: 'free' }))).toMatchObject({
    status: 'completed',
  });
});

test('a budget without a cost, and a cost of what costs nothing, are named with what to do', async () => {
  await expect(serviceWorld({ engine: paidEngine, budget: { day: 1 } })).rejects.toThrow(
    'nobody says what one of the workflow default does: set HOSTED_COST, or its cost in SERVICE_WORKFLOWS',
  );
  await expect(serviceWorld({ workflows: { photo: { cost: 0.1 } } })).rejects.toThrow(
    'SERVICE_WORKFLOWS: photo has a cost, but is drawn by instant, which has none.',
  );
});

test('a picture is enlarged here although the budget is used up, and not where that costs as well', async () => {
  const enlarges: Engine = { ...paidEngine, name: 'enlarges', operations: async () => ({ upscale: {} }) };
  const upscaler = createUpscaler();
  const world = await serviceWorld({
    engine: withUpscaling(paidEngine, upscaler),
    rr3Engine: withUpscaling(enlarges, upscaler),
    pictureCost: 0.04,
    budget: { day: 0.01 },
  });
  const { bytes } = await paint({ width: 64, height: 64 });
  const image = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
  expect((await world.submit({ prompt: 'a fox' })).status).toBe(503);
  expect((await world.submit({ operation: 'upscale', image, workflow: 'rr3' })).status).toBe(503);
  const enlarged = await world.submitted({ operation: 'upscale', image });
  expect(await world.until(enlarged)).toMatchObject({ status: 'completed' });
});
