import { OperatorError, ownCommand } from '@darkroom/process';
import type { ServiceDatabase } from '../database/database.ts';
import { wipeDeleted } from '../database/wipe-deleted.ts';
import type { Files } from '../files/files.ts';
import { pictureIn } from './stored-drawing.ts';
import { UNFINISHED } from './task-queries.ts';
import type { Tasks } from './tasks.ts';

/** Tasks that are deleted, or pictures that are looked for, at once: few enough that nobody waits long. */
const BATCH = 100;

/** Deletes tasks with all their files before they expire. What they cost stays in the ledger. */
export function createTaskDeletion({
  db,
  tasks,
  files,
}: {
  db: ServiceDatabase;
  tasks: Pick<Tasks, 'cancel'>;
  files: Pick<Files, 'remove'>;
}) {
  /** The files before their rows, which know where they are; returns how many pictures there were. */
  async function deleteAll(ids: readonly string[]): Promise<number> {
    let pictures = 0;
    // By their tasks alone: SQLite would look for these among all files that are there.
    const before = db.selectFrom('files').select(['name', 'kind', 'removedAt']).where('taskId', 'in', ids);
    for (const { name, kind, removedAt } of await before.execute()) {
      if (removedAt !== null) continue;
      await files.remove(name);
      if (kind === 'picture') pictures += 1;
    }
    // The tasks first: a process that still draws one reserves no name for a file from then on.
    const rows = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('tasks').where('id', 'in', ids).execute();
      await trx.deleteFrom('webhooks').where('taskId', 'in', ids).execute();
      return trx.deleteFrom('files').where('taskId', 'in', ids).returning(['name', 'removedAt']).execute();
    });
    // Those that were written meanwhile.
    for (const { name, removedAt } of rows) if (removedAt === null) await files.remove(name);
    return pictures;
  }

  /** By its id, or by the address of its picture. */
  const find = (idOrAddress: string) =>
    db
      .selectFrom('tasks')
      .innerJoin('accounts', 'accounts.id', 'tasks.accountId')
      .select(['tasks.id', 'tasks.accountId', 'accounts.username', 'tasks.state', 'tasks.picture'])
      .where((eb) =>
        eb.or([
          eb('tasks.id', '=', idOrAddress.toLowerCase()),
          eb(
            'tasks.id',
            '=',
            eb.selectFrom('files').select('taskId').where('name', '=', fileNameIn(idOrAddress)),
          ),
        ]),
      )
      .executeTakeFirst();

  /** What an account has had made from a picture, or from what was made from it: its words stand there as well. */
  async function madeFrom({ accountId, picture }: { accountId: number; picture: string | null }) {
    const made = new Map<string, { id: string; state: string; picture: string | null }>();
    const pictures = picture === null ? [] : [picture];
    while (pictures.length > 0) {
      const some = pictures.splice(0, BATCH);
      const found = await db
        .selectFrom('tasks')
        .select(['id', 'state', 'picture'])
        .where('accountId', '=', accountId)
        .where((eb) => eb.or(some.map((name) => eb('drawing', 'like', `%${pictureIn(name)}%`))))
        .execute();
      for (const task of found) {
        if (task.picture !== null && !made.has(task.id)) pictures.push(task.picture);
        made.set(task.id, task);
      }
    }
    return [...made.values()];
  }

  return {
    deleteAll,

    /**
     * Deletes one with all that was made from it, `made` tasks; by `force` also where one of them has not ended, which
     * is cancelled first. `isWiped`: see `wipeDeleted`.
     */
    async deleteOne(
      idOrAddress: string,
      { force }: { force: boolean },
    ): Promise<{ id: string; username: string; made: number; pictures: number; isWiped: boolean }> {
      const task = await find(idOrAddress);
      if (!task)
        throw new OperatorError(
          `There is no task ${idOrAddress}, or it has been deleted. ${ownCommand('service', 'task list ACCOUNT')} names those of an account.`,
        );
      const { id, accountId, username } = task;
      const made = await madeFrom(task);
      const all = [task, ...made];
      const unfinished = all.filter(({ state }) => UNFINISHED.some((one) => one === state));
      for (const one of unfinished) {
        if (!force)
          throw new OperatorError(
            `Task ${one.id} of ${username}${one === task ? '' : ', made from that picture,'} waits or is being drawn. Wait for it, or add --force to cancel it.`,
          );
        await tasks.cancel(one.id, accountId);
      }
      let pictures = 0;
      for (let from = 0; from < all.length; from += BATCH)
        pictures += await deleteAll(all.slice(from, from + BATCH).map((each) => each.id));
      return { id, username, made: made.length, pictures, isWiped: await wipeDeleted(db) };
    },
  };
}

const fileNameIn = (address: string): string => address.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
