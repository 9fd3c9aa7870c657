import { OperatorError } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import { wipeDeleted } from '../database/wipe-deleted.ts';
import type { Files } from '../files/files.ts';
import type { Uploads } from '../inputs/uploads.ts';
import { lockAccounts } from '../ledger/ledger-queries.ts';
import { createTaskDeletion } from '../tasks/task-deletion.ts';
import { UNFINISHED } from '../tasks/task-queries.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { type Account, invalidateKeyHolders } from './key-holders.ts';

/** Tasks and files that are removed at once: few enough that nobody waits long for the database. */
const BATCH = 200;
/** Likewise, rows of the ledger. */
const LEDGER_BATCH = 5_000;

/**
 * Deletes an account and everything of it: keys, login tokens, tasks, pictures and its part of the ledger. It is
 * disabled first; where the process is lost meanwhile, deleting it again goes on. `isWiped`: see `wipeDeleted`.
 */
export function createAccountDeletion({
  db,
  tasks,
  files,
  uploads,
  clock,
}: {
  db: ServiceDatabase;
  tasks: Pick<Tasks, 'cancel'>;
  files: Pick<Files, 'remove'>;
  uploads: Pick<Uploads, 'of' | 'remove'>;
  clock: Clock;
}) {
  const { deleteAll } = createTaskDeletion({ db, tasks, files });

  /**
   * Locks the account out. Who adds a task or an upload locks it, too, and asks whether it is disabled: nothing is added
   * to what is about to be deleted.
   */
  const disable = ({ id, username }: Account, force: boolean) =>
    db.transaction().execute(async (trx) => {
      await lockAccounts(trx, [id]);
      const { count } = await trx
        .selectFrom('tasks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('accountId', '=', id)
        .where('state', 'in', UNFINISHED)
        .executeTakeFirstOrThrow();
      if (count > 0 && !force) {
        throw new OperatorError(
          `${username} has ${count} ${count === 1 ? 'task' : 'tasks'} waiting or being drawn. Wait for them, or add --force to cancel them.`,
        );
      }
      await trx.updateTable('accounts').set({ disabledAt: clock.now() }).where('id', '=', id).execute();
      await invalidateKeyHolders(trx);
    });

  const tasksOf = (accountId: number) =>
    db.selectFrom('tasks').select('id').where('accountId', '=', accountId).limit(BATCH);

  async function cancelTasks(accountId: number): Promise<void> {
    const some = tasksOf(accountId).where('state', 'in', UNFINISHED);
    for (let left = await some.execute(); left.length > 0; left = await some.execute())
      for (const { id } of left) await tasks.cancel(id, accountId);
  }

  /** Adds to how many tasks and pictures there were. */
  async function deleteTasks(accountId: number, deleted: { tasks: number; pictures: number }): Promise<void> {
    const some = tasksOf(accountId);
    for (let left = await some.execute(); left.length > 0; left = await some.execute()) {
      deleted.pictures += await deleteAll(left.map(({ id }) => id));
      deleted.tasks += left.length;
    }
  }

  async function deleteUploads(accountId: number): Promise<void> {
    const some = () => uploads.of(accountId, BATCH);
    for (let left = await some(); left.length > 0; left = await some())
      for (const id of left) await uploads.remove(id);
  }

  /**
   * It is kept for ever, at least two entries for each picture. Until all are deleted, a check of the ledger finds what
   * is left.
   */
  async function deleteLedger(accountId: number): Promise<void> {
    for (const table of ['entries', 'grants'] as const) {
      for (let rows = LEDGER_BATCH; rows === LEDGER_BATCH; ) {
        const { numDeletedRows } = await db
          .deleteFrom(table)
          .where('id', 'in', (eb) =>
            eb.selectFrom(table).select('id').where('accountId', '=', accountId).limit(LEDGER_BATCH),
          )
          .executeTakeFirstOrThrow();
        rows = Number(numDeletedRows);
      }
    }
  }

  const deleteRows = (accountId: number): Promise<void> =>
    db.transaction().execute(async (trx) => {
      if (hasRowLocks(trx))
        await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
      for (const table of OF_ACCOUNT)
        await trx.deleteFrom(table).where('accountId', '=', accountId).execute();
      await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
      await invalidateKeyHolders(trx);
    });

  return async (
    account: Account,
    { force }: { force: boolean },
  ): Promise<{ tasks: number; pictures: number; isWiped: boolean }> => {
    await disable(account, force);
    const deleted = { tasks: 0, pictures: 0 };
    await cancelTasks(account.id);
    await deleteTasks(account.id, deleted);
    await deleteUploads(account.id);
    await deleteLedger(account.id);
    await deleteRows(account.id);
    return { ...deleted, isWiped: await wipeDeleted(db) };
  };
}

/** What belongs to an account beside its tasks, each table before those that it refers to. */
const OF_ACCOUNT = [
  'webhooks',
  'webhookSecrets',
  'usage',
  'replays',
  'submissionRates',
  'loginTokens',
  'keys',
  'entries',
  'grants',
  'allowances',
] as const;
