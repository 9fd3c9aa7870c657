import { WORKFLOWS } from '@darkroom/image-api';
import { MINUTE_MS, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createExpenses } from '../../src/ledger/expenses.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createAdmission } from '../../src/tasks/admission.ts';
import { createDurationEstimates } from '../../src/tasks/duration-estimates.ts';
import { createLanes } from '../../src/tasks/lanes.ts';
import { createQueue } from '../../src/tasks/queue.ts';
import { createQueueModels } from '../../src/tasks/queue-model.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

const ASKED = { workflow: 'default', lane: 'engine', expectedMs: 10 * MINUTE_MS } as const;

test('a task that is drawn before its submission is answered counts once', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  const other = await world.addAccount();
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const [clock, limits] = [systemClock, { ...SERVICE_LIMITS, slots: 1 }];
  const queueModels = createQueueModels({
    db,
    durationEstimates: createDurationEstimates({ db, workflows: WORKFLOWS, clock }),
    lanes: createLanes({ workflows: { engines: [], find: () => undefined }, limits }),
    clock,
    limits,
  });
  const admission = createAdmission({ queueModels, limits });
  const holder = (account: { id: number; username: string }) => ({
    keyId: account.id,
    account,
    maxRunning: null,
    maxWaiting: null,
    maxPerMinute: null,
  });

  const { queueAs } = await admission.admit(holder(world), ASKED);
  const taskId = await world.submitted({ prompt: 'a fox' });
  queueAs(taskId);
  await db.updateTable('tasks').set({ expectedMs: ASKED.expectedMs }).execute();
  const [ledger, expenses] = [createLedger({ db, clock }), createExpenses({ db, clock })];
  const queue = createQueue({ db, ledger, expenses, workflows: WORKFLOWS, clock, limits });
  expect(await queue.claim({ workflows: WORKFLOWS, cpu: true, except: [] })).toBeDefined();
  await queueModels.refresh();

  const { endsInMs = 0 } = await admission.foresee(holder(other), ASKED);
  expect(Math.round(endsInMs / MINUTE_MS)).toBe(20);
});
