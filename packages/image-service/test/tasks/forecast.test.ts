import { randomUUID } from 'node:crypto';
import { WORKFLOWS } from '@darkroom/image-api';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createDurationEstimates } from '../../src/tasks/duration-estimates.ts';
import { createForecast } from '../../src/tasks/forecast.ts';
import { createLanes } from '../../src/tasks/lanes.ts';
import { createQueueModels } from '../../src/tasks/queue-model.ts';
import { findTasks } from '../../src/tasks/task-queries.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

test('however many tasks have come since the queue was read, it is read once more for the places of all', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  await world.submitted({ prompt: 'a fox' });
  let statements = 0;
  const db = await openDatabase(storage.databaseUrl, { onStatement: () => statements++ });
  onTestFinished(() => db.destroy());
  const [clock, limits] = [systemClock, SERVICE_LIMITS];
  const queueModels = createQueueModels({
    db,
    durationEstimates: createDurationEstimates({ db, workflows: WORKFLOWS, clock }),
    lanes: createLanes({ workflows: { engines: [], find: () => undefined }, limits }),
    clock,
    limits,
  });
  const forecast = createForecast({ queueModels });

  const first = await db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
  const more = Array.from({ length: 60 }, () => ({ ...first, id: randomUUID(), turn: first.turn + 1 }));
  await queueModels.latest();
  await db.insertInto('tasks').values(more).execute();
  const come = await findTasks(
    db,
    more.map(({ id }) => id),
    {},
  );
  statements = 0;
  const places = await Promise.all(come.map(forecast.placeOf));
  expect(new Set(places.map((place) => place?.position)).size).toBe(60);
  // One for what is drawn, and one for what waits.
  expect(statements).toBe(2);
});
