import { WORKFLOWS } from '@darkroom/image-api';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type ServiceDatabase } from '../../src/database/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createQueueReadings } from '../../src/observability/queue-readings.ts';
import { createDurationEstimates } from '../../src/tasks/duration-estimates.ts';
import { createQueue } from '../../src/tasks/queue.ts';
import { createTaskDeletion } from '../../src/tasks/task-deletion.ts';
import { queryPlans } from '../support/query-plans.ts';
import { testStorage } from '../support/storage.ts';

/** Where a table has grown to millions, what counts is by which index a query reads it, and how much of that. */
async function emptyDatabase(): Promise<ServiceDatabase> {
  const db = await openDatabase((await testStorage()).databaseUrl);
  onTestFinished(() => db.destroy());
  return db;
}

test('a start learns from the latest tasks by their end, and reads none of the others', async () => {
  const plans = await queryPlans(await emptyDatabase(), (db) =>
    createDurationEstimates({
      db,
      workflows: WORKFLOWS,
      limits: SERVICE_LIMITS,
      clock: systemClock,
    }).learnFromPast(),
  );
  const latest = expect.stringMatching(/^SEARCH tasks USING (COVERING )?INDEX tasksByEnd \(finishedAt[<>]/);
  expect(plans).toEqual([latest, ...WORKFLOWS.map(() => latest)]);
});

test('lost tasks are found among those that run and those past their deadline, without reading what waits', async () => {
  const clock = systemClock;
  const plans = await queryPlans(await emptyDatabase(), async (db) => {
    const ledger = createLedger({ db, clock });
    const queue = createQueue({ db, ledger, workflows: WORKFLOWS, clock, limits: SERVICE_LIMITS });
    expect(await queue.recover([])).toBe(0);
  });
  expect(plans).toEqual([
    expect.stringMatching(/^SEARCH tasks USING .*INDEX .* \(id=\?\)$/),
    'LIST SUBQUERY 1',
    'SEARCH tasks USING INDEX queue (state=?)',
    'SEARCH tasks USING INDEX tasksByEnd (finishedAt=? AND deadlineAt<?)',
  ]);
});

test('what waits is counted for metrics in an index, without reading it', async () => {
  const plans = await queryPlans(await emptyDatabase(), async (db) => {
    const readings = createQueueReadings({ db, workflows: WORKFLOWS, clock: systemClock });
    expect(await readings()).toHaveLength(WORKFLOWS.length);
  });
  const running = ['SEARCH tasks USING INDEX queue (state=?)', 'USE TEMP B-TREE FOR GROUP BY'];
  const waiting = 'SEARCH tasks USING COVERING INDEX queueOfLane (lane=? AND workflow=?)';
  expect(plans).toEqual([...running, ...WORKFLOWS.flatMap(() => [waiting, waiting])]);
});

test('tasks are deleted by reading no files of others', async () => {
  const plans = await queryPlans(await emptyDatabase(), async (db) => {
    const untouched = async () => expect.unreachable('there is nothing to end');
    const deletion = createTaskDeletion({ db, tasks: { cancel: untouched }, files: { remove: untouched } });
    expect(await deletion.deleteAll(['a task', 'another'])).toBe(0);
  });
  const files = plans.filter((step) => / files /.test(step));
  const ofTask = expect.stringMatching(/^SEARCH files USING (COVERING )?INDEX filesOfTask \(taskId=\?\)$/);
  expect(files).toEqual([ofTask, ofTask]);
});

test("what a task was charged is read without the rest of its account's ledger", async () => {
  const plans = await queryPlans(await emptyDatabase(), async (db) => {
    expect(await createLedger({ db, clock: systemClock }).entriesOfTask(1, 'a task', { limit: 50 })).toEqual(
      [],
    );
  });
  expect(plans[0]).toMatch(/^SEARCH entries USING INDEX .* \(taskId=\?\)$/);
});
