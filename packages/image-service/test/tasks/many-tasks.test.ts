import { WORKFLOWS } from '@darkroom/image-api';
import { cpuMsUntil } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type ServiceDatabase } from '../../src/database/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createQueueReadings } from '../../src/observability/queue-readings.ts';
import { createDurationEstimates } from '../../src/tasks/duration-estimates.ts';
import { createQueue } from '../../src/tasks/queue.ts';
import { createServiceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

const [MANY, MORE] = [2 ** 14, 2 ** 16];
/** Milliseconds of CPU time below which nothing can be told from noise. */
const LEAST_MS = 4;

/** The database of a service that had one task, which waits or was drawn, and is closed. */
async function databaseWith(state: 'pending' | 'completed'): Promise<ServiceDatabase> {
  const storage = await testStorage();
  const world = await createServiceWorld({ storage, limits: state === 'pending' ? { slots: 0 } : {} });
  const id = await world.submitted({ prompt: 'a fox' });
  await world.until(id, ({ status }) => status === state);
  await world.close();
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  return db;
}

/** Copies the tasks that there are until there are `wanted`. */
async function copyTasks(db: ServiceDatabase, wanted: number): Promise<void> {
  const { id: _, ...task } = await db.selectFrom('tasks').selectAll().limit(1).executeTakeFirstOrThrow();
  const columns = Object.keys(task) as (keyof typeof task)[];
  for (;;) {
    const { tasks } = await db
      .selectFrom('tasks')
      .select((eb) => eb.fn.countAll<number>().as('tasks'))
      .executeTakeFirstOrThrow();
    if (tasks >= wanted) return;
    const id = sql<string>`"id" || ${` ${tasks}`}`.as('id');
    const copies = db.selectFrom('tasks').select([id, ...columns]);
    await db
      .insertInto('tasks')
      .columns(['id', ...columns])
      .expression(copies)
      .execute();
  }
}

/** Milliseconds of CPU time: of several times the quickest, which nothing else slowed down. */
async function quickest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) times.push(await cpuMsUntil(work));
  return Math.max(LEAST_MS, Math.min(...times));
}

async function expectNoGrowth(db: ServiceDatabase, work: () => Promise<unknown>): Promise<void> {
  await copyTasks(db, MANY);
  const many = await quickest(work);
  await copyTasks(db, MORE);
  expect(await quickest(work)).toBeLessThan(2 * many);
}

test('four times as many past tasks take a start no longer', async () => {
  const db = await databaseWith('completed');
  const estimates = createDurationEstimates({ db, workflows: WORKFLOWS, clock: systemClock });
  await expectNoGrowth(db, estimates.learnFromPast);
});

test('lost tasks are looked for as quickly where four times as many wait', async () => {
  const db = await databaseWith('pending');
  const clock = systemClock;
  const ledger = createLedger({ db, clock });
  const queue = createQueue({ db, ledger, workflows: WORKFLOWS, clock, limits: SERVICE_LIMITS });
  await expectNoGrowth(db, async () => expect(await queue.recover([])).toBe(0));
});

test('what waits is counted for metrics without reading it', async () => {
  const db = await databaseWith('pending');
  await copyTasks(db, MORE);
  const readings = () => createQueueReadings({ db, workflows: WORKFLOWS, clock: systemClock })();
  expect(await readings()).toContainEqual(
    expect.objectContaining({ workflow: 'default', waiting: MORE, running: 0 }),
  );
  const counted = await quickest(() =>
    db
      .selectFrom('tasks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', 'pending')
      .execute(),
  );
  expect(await quickest(readings)).toBeLessThan(5 * counted);
});
