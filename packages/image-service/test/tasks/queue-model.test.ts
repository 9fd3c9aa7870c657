import { randomUUID } from 'node:crypto';
import { WORKFLOWS } from '@darkroom/image-api';
import { systemClock as clock, MINUTE_MS } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createDeadlineForecast } from '../../src/tasks/deadline-forecast.ts';
import { createDurationEstimates } from '../../src/tasks/duration-estimates.ts';
import { createLanes } from '../../src/tasks/lanes.ts';
import { createQueue } from '../../src/tasks/queue.ts';
import { createQueueModels } from '../../src/tasks/queue-model.ts';
import { findTasks } from '../../src/tasks/task-queries.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

const ASKED = { workflow: 'default', lane: 'engine', expectedMs: 10 * MINUTE_MS } as const;

/** A service that draws nothing, and its queue as another process foresees it, which counts its `statements`. */
async function foreseenWorld() {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  const counted = { statements: 0 };
  const db = await openDatabase(storage.databaseUrl, { onStatement: () => counted.statements++ });
  onTestFinished(() => db.destroy());
  const limits = { ...SERVICE_LIMITS, slots: 1 };
  const queueModels = createQueueModels({
    db,
    durationEstimates: createDurationEstimates({ db, workflows: WORKFLOWS, limits, clock }),
    lanes: createLanes({ workflows: { engines: [], find: () => undefined }, limits }),
    clock,
    limits,
  });
  return { world, db, counted, limits, queueModels };
}

test('a task that is drawn before its submission is answered counts once', async () => {
  const { world, db, limits, queueModels } = await foreseenWorld();
  const other = await world.addAccount();
  const deadlineForecast = createDeadlineForecast({ queueModels, limits });
  const holder = (account: { id: number; username: string }) => ({
    keyId: account.id,
    account,
    maxRunning: null,
    maxWaiting: null,
    maxPerMinute: null,
  });

  const { queueAs } = await deadlineForecast.include(holder(world), ASKED);
  const taskId = await world.submitted({ prompt: 'a fox' });
  queueAs(taskId);
  await db.updateTable('tasks').set({ expectedMs: ASKED.expectedMs }).execute();
  const ledger = createLedger({ db, clock });
  const queue = createQueue({ db, ledger, workflows: WORKFLOWS, clock, limits });
  expect(await queue.claim({ workflows: WORKFLOWS, cpu: true, except: [] })).toBeDefined();
  await queueModels.refresh();

  const { endsInMs = 0 } = await deadlineForecast.foresee(holder(other), ASKED);
  expect(Math.round(endsInMs / MINUTE_MS)).toBe(20);
});

test('however many tasks have come since the queue was read, it is read once more for the places of all', async () => {
  const { world, db, counted, queueModels } = await foreseenWorld();
  await world.submitted({ prompt: 'a fox' });

  const first = await db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
  const more = Array.from({ length: 60 }, () => ({ ...first, id: randomUUID(), turn: first.turn + 1 }));
  await queueModels.latest();
  await db.insertInto('tasks').values(more).execute();
  const come = await findTasks(
    db,
    more.map(({ id }) => id),
    {},
  );
  counted.statements = 0;
  const forecasts = await Promise.all(come.map(queueModels.forecastOf));
  expect(new Set(forecasts.map((place) => place?.position)).size).toBe(60);
  // One for what is drawn, and one for what waits.
  expect(counted.statements).toBe(2);
});
