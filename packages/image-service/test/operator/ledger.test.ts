import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { controlledEngine } from '../support/engines.ts';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

/**
 * A ledger of one task, to be broken: `book` adds an entry of 5 credits less to the first grant, and takes them from
 * it.
 */
async function ledgerWorld() {
  const { storage, outcome } = await operator();
  const world = await serviceWorld({ storage });
  const other = await world.addAccount();
  const taskId = await world.submitted({ prompt: 'a fox' });
  await world.until(taskId);
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const { id: grantId } = await db
    .selectFrom('grants')
    .select('id')
    .where('accountId', '=', world.id)
    .executeTakeFirstOrThrow();
  return {
    db,
    taskId,
    grantId,
    other,
    check: (...options: string[]) => outcome('ledger', 'check', ...options),
    async book(
      accountId: number,
      entry: { kind: 'reserve' | 'revoke'; taskId: string | null },
    ): Promise<void> {
      await db
        .insertInto('entries')
        .values({ accountId, grantId, amount: -5_000, createdAt: 1, ...entry })
        .execute();
      await db
        .updateTable('grants')
        .set((eb) => ({ remaining: eb('remaining', '-', 5_000) }))
        .where('id', '=', grantId)
        .execute();
    },
    accountId: world.id,
  };
}

test('a ledger in which everything matches is said to be in order, also when its tasks are long gone', async () => {
  const { db, taskId, check } = await ledgerWorld();
  expect(await check()).toEqual({ printed: expect.stringContaining('every entry matches'), exitCode: 0 });
  await db.deleteFrom('tasks').where('id', '=', taskId).execute();
  expect(await check()).toMatchObject({ exitCode: 0 });
});

test.each(['a task that never was', null])('credits that are reserved for %s are found', async (task) => {
  const { accountId, grantId, book, check } = await ledgerWorld();
  await book(accountId, { kind: 'reserve', taskId: task });
  const { printed, exitCode } = await check('--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(printed)).toEqual([
    {
      'broken rule':
        'what is reserved for a task that is not there any more is captured, released, or a part of it each',
      'grant or task': task ?? String(grantId),
    },
  ]);
});

test('an entry of another account than that of its grant is found', async () => {
  const { other, grantId, book, check } = await ledgerWorld();
  await book(other.id, { kind: 'revoke', taskId: null });
  const { printed, exitCode } = await check();
  expect(exitCode).toBe(1);
  expect(printed).toMatch(new RegExp(`an entry is of the account of its grant +${grantId}\n`));
});

test('a task that was cancelled while it was drawn is in order, and is found where its credits do not match', async () => {
  const { storage, run, outcome } = await operator();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine });
  const id = await world.submitted({ prompt: 'a fox' });
  (await engine.next()).progress(40);
  await world.until(id, (task) => task.status === 'processing' && task.progress === 40);
  await world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id: id } });
  expect(await run('ledger', 'check')).toContain('every entry matches');
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  await db.updateTable('tasks').set({ charged: 300 }).where('id', '=', id).execute();
  expect(await outcome('ledger', 'check')).toMatchObject({
    exitCode: 1,
    printed: expect.stringContaining('of a failed task, what it did not cost is released'),
  });
  await db.deleteFrom('tasks').where('id', '=', id).execute();
  expect(await outcome('ledger', 'check')).toMatchObject({ exitCode: 0 });
  await db.updateTable('entries').set({ amount: 1_000 }).where('kind', '=', 'release').execute();
  await db.updateTable('grants').set({ remaining: 100_000 }).where('accountId', '=', world.id).execute();
  expect(await outcome('ledger', 'check')).toMatchObject({
    exitCode: 1,
    printed: expect.stringContaining(
      'what is released is what was reserved, or less where a part was captured',
    ),
  });
});
