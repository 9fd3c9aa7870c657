import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

/** A ledger of one task, to be broken: `book` adds an entry of 5 credits less to the first grant, and takes them from it. */
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
      'broken rule': 'what is reserved for a task that is not there any more is captured or released, once',
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
