import { WORKFLOWS } from '@darkroom/image-api';
import { DAY_MS, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { checkLedger } from '../../src/ledger/ledger-check.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createQueue, type Run } from '../../src/tasks/queue.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

const LEASE_MS = SERVICE_LIMITS.leaseMs;

/** One submitted task, and the queue of two processes that draw. Time passes by `clock.ahead`. */
async function queueWorld() {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead };
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const queueOfAProcess = () =>
    createQueue({
      db,
      ledger: createLedger({ db, clock }),
      workflows: WORKFLOWS,
      clock,
      limits: SERVICE_LIMITS,
    });
  const taskId = await world.submitted({ prompt: 'a fox' });
  return {
    world,
    clock,
    taskId,
    queue: queueOfAProcess(),
    other: queueOfAProcess(),
    async claimed(queue = queueOfAProcess()): Promise<Run> {
      const run = await queue.claim({ workflows: WORKFLOWS, cpu: true, except: [] });
      if (!run) throw new Error('there is no task to claim');
      return run;
    },
    /** Lets the lease of the task end, and the next one too, for which it is kept for its run. */
    async lose(by: ReturnType<typeof createQueue>): Promise<void> {
      clock.ahead += 2 * LEASE_MS;
      expect(await by.recover([])).toBe(1);
      clock.ahead += 2 * LEASE_MS;
    },
    attempts: async () =>
      (await db.selectFrom('tasks').select('attempts').where('id', '=', taskId).executeTakeFirstOrThrow())
        .attempts,
    /** As a later version might have written it, with its last attempt behind it. */
    makeUnreadable: () =>
      db
        .updateTable('tasks')
        .set({ drawing: '{}', attempts: SERVICE_LIMITS.attempts })
        .where('id', '=', taskId)
        .execute(),
    consistent: async () => expect(await checkLedger(db)).toEqual([]),
  };
}

const complete = (queue: ReturnType<typeof createQueue>, run: Run) =>
  queue.complete(run, { name: 'picture.png', expiresAt: Date.now() + 1_000_000 });

test('a run whose lease has ended completes its task where no other has begun it', async () => {
  const { queue, other, clock, claimed, consistent, world, taskId } = await queueWorld();
  const run = await claimed(queue);
  clock.ahead += 2 * LEASE_MS;
  expect(await other.recover([])).toBe(1);
  expect(await complete(queue, run)).toBe(1_000);
  expect(await complete(queue, run)).toBeUndefined();
  expect(await world.until(taskId)).toMatchObject({ status: 'completed' });
  await consistent();
});

test('a task whose process is lost does not wait for days where the clock was set back by them', async () => {
  const { queue, other, clock, claimed, taskId } = await queueWorld();
  await claimed(queue);
  clock.ahead -= DAY_MS;
  expect(await other.recover([])).toBe(1);
  clock.ahead -= DAY_MS;
  expect((await claimed(other)).taskId).toBe(taskId);
});

test('a service that stops fails no more than the task that it is at', async () => {
  const { queue, clock, world, taskId } = await queueWorld();
  const another = await world.submitted({ prompt: 'another fox' });
  clock.ahead += SERVICE_LIMITS.taskMs;
  const stopping = new AbortController();
  const { now } = clock;
  let looks = 0;
  clock.now = () => {
    // The first is for what is late, each other for a task.
    if (++looks === 2) stopping.abort();
    return now();
  };
  await queue.recover([], stopping.signal);
  const statusOf = async (id: string) => (await world.until(id, () => true)).status;
  expect([await statusOf(taskId), await statusOf(another)].sort()).toEqual(['failed', 'pending']);
});

test('a run whose task another one has begun ends nothing, and gives back its attempt', async () => {
  const { queue, other, lose, claimed, attempts, consistent } = await queueWorld();
  const run = await claimed(queue);
  await lose(other);
  const second = await claimed(other);
  expect(await attempts()).toBe(2);
  expect(await complete(queue, run)).toBeUndefined();
  expect(await queue.fail(run, { error: 'no', errorCode: 'drawing_failed' })).toBeUndefined();
  expect(await queue.renew([run])).toEqual(new Set());
  await queue.requeue(run);
  expect(await attempts()).toBe(1);
  expect(await complete(other, second)).toBe(1_000);
  await consistent();
});

test.each([
  ['its first', 1],
  ['its last', 3],
])('a task on %s attempt whose lease has ended is kept for its run for another lease', async (_, last) => {
  const { queue, other, clock, claimed, lose, attempts, consistent } = await queueWorld();
  for (let loss = 1; loss < last; loss++) {
    await claimed(queue);
    await lose(other);
  }
  const run = await claimed(queue);
  expect(await attempts()).toBe(last);
  clock.ahead += 2 * LEASE_MS;
  expect(await other.recover([])).toBe(1);
  clock.ahead += LEASE_MS / 2;
  expect(await other.recover([])).toBe(0);
  expect(await other.claim({ workflows: WORKFLOWS, cpu: true, except: [] })).toBeUndefined();
  expect(await queue.renew([run])).toEqual(new Set([run.id]));
  clock.ahead += LEASE_MS / 2;
  expect(await other.claim({ workflows: WORKFLOWS, cpu: true, except: [] })).toBeUndefined();
  expect(await complete(queue, run)).toBe(1_000);
  await consistent();
});

test('a process recovers and claims no task that it draws itself', async () => {
  const { queue, clock, lose, claimed } = await queueWorld();
  const run = await claimed(queue);
  clock.ahead += 2 * LEASE_MS;
  expect(await queue.recover([run])).toBe(0);
  await lose(queue);
  expect(await queue.claim({ workflows: WORKFLOWS, cpu: true, except: [run.taskId] })).toBeUndefined();
});

test('a task that is put back costs no attempt; after its third lost process it fails and is paid back', async () => {
  const { queue, other, lose, claimed, attempts, world, taskId, consistent } = await queueWorld();
  for (let time = 0; time < 5; time++) await queue.requeue(await claimed(queue));
  expect(await attempts()).toBe(0);
  for (let loss = 1; loss <= 3; loss++) {
    await claimed(queue);
    expect(await attempts()).toBe(loss);
    await lose(other);
  }
  expect(await other.claim({ workflows: WORKFLOWS, cpu: true, except: [] })).toBeUndefined();
  expect(await world.until(taskId)).toMatchObject({ status: 'failed', error_code: 'timed_out' });
  expect(await world.balance()).toBe(100);
  await consistent();
});

test('a task whose drawing cannot be read fails after its last attempt, and is paid back', async () => {
  const { queue, world, taskId, makeUnreadable, consistent } = await queueWorld();
  await makeUnreadable();
  expect(await queue.claim({ workflows: WORKFLOWS, cpu: true, except: [] })).toBeUndefined();
  expect(await world.until(taskId)).toMatchObject({ status: 'failed' });
  expect(await world.balance()).toBe(100);
  await consistent();
});
