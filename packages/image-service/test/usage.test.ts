import { envelope, OPERATIONS } from '@darkroom/image-api';
import { DAY_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { controlledEngine, failingEngine } from './support/engines.ts';
import { operator } from './support/operator.ts';
import { body, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';

/** Of a price that is no binary fraction, so that a rounded sum would be seen. */
const price = () => 0.1;

const usageOf = async (world: ServiceWorld, query = '', key = world.key) => {
  const answer = await world.call(`/v1/index.php?endpoint=usage${query}`, { headers: { 'x-api-key': key } });
  return (await body(answer, envelope(OPERATIONS.usage.answer.sent))).data;
};

/** Noon of a day, so that a test does not run across midnight. */
const noonClock = () =>
  createFastClock({ factor: 1, origin: { real: Date.now(), time: Date.UTC(2030, 5, 1, 12) } });

test("usage tells by day how many of the account's tasks ended how, and what was spent", async () => {
  const { storage, run } = await operator();
  const clock = noonClock();
  const world = await serviceWorld({ storage, clock, price, rr3Engine: failingEngine() });
  const other = await world.addAccount();
  expect(await usageOf(world)).toEqual({ days: [], total: { completed: 0, failed: 0, cost: 0 } });
  for (let more = 0; more < 3; more++) await world.until(await world.submitted({ prompt: 'a fox' }));
  await world.until(await world.submitted({ prompt: 'a fox', workflow: 'rr3' }));
  await world.until(await world.submitted({ prompt: 'theirs' }, other.key), undefined, other.key);
  clock.advance(DAY_MS);
  await world.until(await world.submitted({ prompt: 'a fox' }));
  expect(await usageOf(world)).toEqual({
    days: [
      { date: '2030-06-01', completed: 3, failed: 1, cost: 0.3 },
      { date: '2030-06-02', completed: 1, failed: 0, cost: 0.1 },
    ],
    total: { completed: 4, failed: 1, cost: 0.4 },
  });
  expect((await usageOf(world, '&from=2030-06-02')).days).toHaveLength(1);
  expect((await usageOf(world, '&from=2030-05-01&to=2030-06-01')).total).toMatchObject({ completed: 3 });
  expect((await usageOf(world, '', other.key)).total).toEqual({ completed: 1, failed: 0, cost: 0.1 });
  // The operator's clock is the machine's, some years earlier.
  expect(await run('usage', world.username, '--days', '7')).toMatch(
    /^Nothing was drawn or spent since \d{4}-\d\d-\d\d \(UTC\)\./,
  );
});

test('usage counts a task once that is cancelled while it is drawn, with what was drawn, and what has been long deleted', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { taskKeptMs: 0 } });
  const id = await world.submitted({ prompt: 'a fox' });
  (await engine.next()).progress(61);
  await world.until(id, (task) => task.status === 'processing' && task.progress === 61);
  for (let twice = 0; twice < 2; twice++)
    await world.call('/v1/index.php?endpoint=cancel_task', {
      json: { task_id: id },
      headers: { 'x-api-key': world.key },
    });
  await world.service.sweep();
  expect((await world.status(id)).status).toBe(404);
  expect((await usageOf(world)).total).toEqual({ completed: 0, failed: 1, cost: 0.61 });
});

test('the operator sees the usage of an account and of all together', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const other = await world.addAccount();
  await world.until(await world.submitted({ prompt: 'a fox' }));
  await world.until(await world.submitted({ prompt: 'a fox' }, other.key), undefined, other.key);
  const total = async (...args: string[]) => {
    const days: { completed: number }[] = JSON.parse(await run('usage', ...args, '--days', '2', '--json'));
    return days.reduce((sum, { completed }) => sum + completed, 0);
  };
  expect([await total(world.username), await total()]).toEqual([1, 2]);
});

test.each(['from=yesterday', 'to=2030-02-30', 'from='])(
  'days that are none are refused: %s',
  async (query) => {
    const world = await serviceWorld();
    const answer = await world.call(`/v1/index.php?endpoint=usage&${query}`);
    const problem = await problemOf(answer);
    expect([answer.status, problem.code]).toEqual([400, 'invalid_request']);
    expect(query).toContain(`${problem.details?.field}=`);
  },
);

test('of any two days, in either order, what was drawn between them is told', async () => {
  const world = await serviceWorld();
  await world.until(await world.submitted({ prompt: 'a fox' }));
  for (const query of ['from=2000-01-01&to=9999-12-31', 'from=9999-12-31&to=2000-01-01', 'from=9999-12-31']) {
    const { total } = await usageOf(world, `&${query}`);
    expect(total.completed, query).toBe(1);
  }
});
