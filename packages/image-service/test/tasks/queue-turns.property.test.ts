import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createQueueTurns, type QueueTurns } from '../../src/tasks/queue-turns.ts';
import { insertTasks } from '../../src/tasks/task-queries.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

interface WaitingTask {
  id: string;
  turn: number;
  createdAt: number;
}

/** A queue that nobody draws from, in which tasks come and go. */
async function standingQueue() {
  const storage = await testStorage();
  const { id: accountId, addAccount, service } = await serviceWorld({ storage, limits: { slots: 0 } });
  const disabled = await addAccount();
  await service.accounts.setDisabled(disabled.id, true);
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const { id: keyId } = await db.selectFrom('keys').select('id').executeTakeFirstOrThrow();
  const drawing = {
    accountId,
    keyId,
    drawing: '{}',
    workflow: 'default',
    seed: 1,
    cost: 1,
    lane: 'engine' as const,
    expectedMs: null,
  };
  // The service ends what has expired.
  const deadlineAt = Number.MAX_SAFE_INTEGER;
  return {
    db,
    disabled,
    empty: () => db.deleteFrom('tasks').execute(),
    async come(tasks: readonly WaitingTask[], of: { id: number } = { id: accountId }): Promise<void> {
      await insertTasks(
        db,
        tasks.map((task) => ({ ...drawing, ...task, accountId: of.id, deadlineAt, reference: null })),
      );
    },
    async go(tasks: readonly WaitingTask[]): Promise<void> {
      for (const { id } of tasks) await db.deleteFrom('tasks').where('id', '=', id).execute();
    },
  };
}

const byOrder = (one: WaitingTask, other: WaitingTask) =>
  one.turn - other.turn || one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

const tasks = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    turn: fc.integer({ min: 0, max: 3 }),
    createdAt: fc.nat({ max: 5 }),
    /** When it comes or goes: before the turns are counted or after. Or it is of a disabled account, and stays. */
    life: fc.constantFrom('stays', 'leaves', 'comes later', 'in vain'),
  }),
  { selector: ({ id }) => id, maxLength: 24 },
);

test('each that waits is told how many are before it, in the order of the queue, whoever comes and goes meanwhile', async () => {
  const queue = await standingQueue();
  await fc.assert(
    fc.asyncProperty(tasks, async (all) => {
      const first = all.filter(({ life }) => life === 'stays' || life === 'leaves').sort(byOrder);
      const inVain = all.filter(({ life }) => life === 'in vain');
      await queue.empty();
      await queue.come(first);
      await queue.come(inVain, queue.disabled);
      const counted = await createQueueTurns(queue.db).latest();
      const askedLater = await createQueueTurns(queue.db).latest();
      const told = (turns: QueueTurns, tasks: readonly WaitingTask[]) =>
        Promise.all([...tasks].sort(byOrder).map(turns.countBefore));
      expect(counted.total).toBe(first.length);
      expect(await told(counted, first)).toEqual(first.map((_, at) => at));

      const left = first.filter(({ life }) => life === 'leaves');
      const later = all
        .filter(({ life }) => life === 'comes later')
        .map((task) => ({ ...task, createdAt: task.createdAt + 6 }));
      await queue.go(left);
      await queue.come(later);
      const waiting = [...first.filter((task) => !left.includes(task)), ...later];
      for (const turns of [counted, askedLater]) {
        const places = await told(turns, waiting);
        expect(places).toEqual([...places].sort((one, other) => one - other));
      }
    }),
  );
});
