import { createDeferred, silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { createHostedEngine } from '../../../src/engines/hosted/engine.ts';
import { createExpenses } from '../../../src/ledger/expenses.ts';
import { SERVICE_LIMITS } from '../../../src/limits.ts';
import { createFakeOpenai, OPENAI_KEY } from '../../support/fake-openai.ts';
import { createServiceWorld, serviceWorld } from '../../support/service.ts';
import { testStorage } from '../../support/storage.ts';

const COST = 0.04;
const COSTS = [
  ['which costs money', COST],
  ['which costs none', undefined],
] as const;

/**
 * A service with a hosted model, whose drawings begin when the test says so, and whose database the test can lock.
 */
async function lockedWorld(pictureCost?: number) {
  const openai = await createFakeOpenai();
  const storage = await testStorage();
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const limits = { leaseMs: 600, finishMs: 200 };
  const { promise: begun, resolve: begin } = createDeferred<void>();
  const { promise: stopped, resolve: stop } = createDeferred<void>();
  const { promise: released, resolve: release } = createDeferred<void>();

  async function engine() {
    const hosted = await createHostedEngine({
      provider: 'openai',
      model: 'gpt-image-2.6-flare',
      key: OPENAI_KEY,
      baseUrl: openai.baseUrl,
      clock: systemClock,
      log: silentLog(),
    });
    onTestFinished(hosted.close);
    return hosted;
  }
  const hosted = await engine();
  const held = {
    ...hosted,
    async draw(...[drawing, given]: Parameters<typeof hosted.draw>) {
      given.signal.addEventListener('abort', () => stop(), { once: true });
      begin();
      await released;
      return hosted.draw(drawing, given);
    },
  };
  const options = { storage, limits, ...(pictureCost !== undefined && { pictureCost }) };
  const world = await createServiceWorld({ ...options, engine: held });
  return {
    openai,
    world,
    begun,
    stopped,
    release,
    next: async (changes: Parameters<typeof serviceWorld>[0] = {}) =>
      serviceWorld({ ...options, ...changes, engine: await engine() }),
    state: async () => (await db.selectFrom('tasks').select('state').executeTakeFirstOrThrow()).state,

    /** Nothing is written of tasks until the function is called that it returns. */
    async lock(): Promise<() => Promise<void>> {
      const trx = await db.startTransaction().execute();
      await trx
        .updateTable('tasks')
        .set((eb) => ({ progress: eb.ref('progress') }))
        .execute();
      return () => trx.rollback().execute();
    },
    leaseEnded: () =>
      expect
        .poll(async () => {
          const { leaseUntil } = await db.selectFrom('tasks').select('leaseUntil').executeTakeFirstOrThrow();
          return Date.now() - Number(leaseUntil);
        })
        .toBeGreaterThan(0),
    spent: async () =>
      (await createExpenses({ db, budget: { day: 5 }, clock: systemClock }).readings())[0]?.spent,
  };
}

test.each(COSTS)('a lease that ends before the picture is asked for, %s, loses nothing', async (_, cost) => {
  const { openai, world, begun, release, lock, leaseEnded, spent } = await lockedWorld(cost);
  onTestFinished(world.close);
  const id = await world.submitted({ prompt: 'a fox' });
  await begun;
  const unlock = await lock();
  release();
  await leaseEnded();
  await unlock();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect([openai.requests.length, await world.balance(), await spent()]).toEqual([1, 99, cost ?? 0]);
});

test('a picture that is drawn while its lease ends is delivered, and neither paid back nor asked for again', async () => {
  const { openai, world, begun, release, lock, leaseEnded, spent } = await lockedWorld(COST);
  onTestFinished(world.close);
  const answered = openai.hold();
  const id = await world.submitted({ prompt: 'a fox' });
  await begun;
  release();
  await openai.request();
  const unlock = await lock();
  await leaseEnded();
  answered();
  await unlock();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect([openai.requests.length, await world.balance(), await spent()]).toEqual([1, 99, COST]);
});

test('a picture whose lease another process takes for ended is delivered, and not paid back', async () => {
  const { openai, world, begun, release, next, state, spent } = await lockedWorld(COST);
  onTestFinished(world.close);
  const answered = openai.hold();
  const id = await world.submitted({ prompt: 'a fox' });
  await begun;
  release();
  await openai.request();
  // To this one every lease has ended long ago, as to one that reaches the database again before others do.
  const clock = { ...systemClock, now: () => Date.now() + 60_000 };
  await next({ clock, limits: SERVICE_LIMITS });
  await expect.poll(state).not.toBe('processing');
  await expect.poll(state).not.toBe('pending');
  answered();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect([openai.requests.length, await world.balance(), await spent()]).toEqual([1, 99, COST]);
});

test.each(COSTS)(
  'a stop before the picture is asked for, %s, leaves it to the next start',
  async (_, cost) => {
    const { openai, world, begun, stopped, release, lock, next, spent } = await lockedWorld(cost);
    const id = await world.submitted({ prompt: 'a fox' });
    await begun;
    const unlock = await lock();
    release();
    const closed = world.close();
    await stopped;
    await unlock();
    await closed;
    const after = await next();
    expect(await after.until(id, undefined, world.key)).toMatchObject({ status: 'completed' });
    expect([openai.requests.length, await after.balance(world.key), await spent()]).toEqual([
      1,
      99,
      cost ?? 0,
    ]);
  },
);
