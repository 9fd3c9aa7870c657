import type { Log } from '@darkroom/process';
import { type Clock, isTimeout, repeat } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import { FilesUnavailable } from '../files/file-place.ts';
import type { Files } from '../files/files.ts';
import type { Uploads } from '../inputs/uploads.ts';
import type { Allowances } from '../ledger/allowances.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ServiceLimits } from '../limits.ts';

const SWEEP_MS = 60_000;
/** Rows that are deleted at once: few enough that nobody waits long for the database. */
const BATCH = 500;

/**
 * What is done every minute: deletes expired credits, files, uploads, tasks and idempotency records, and gives what
 * is due of allowances.
 */
export function createRetention({
  db,
  files,
  uploads,
  ledger,
  allowances,
  clock,
  log,
  limits,
}: {
  db: ServiceDatabase;
  files: Files;
  uploads: Pick<Uploads, 'expired' | 'remove'>;
  ledger: Ledger;
  allowances: Allowances;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
}) {
  const stopped = new AbortController();
  let loop = Promise.resolve();

  /**
   * A file that cannot be removed keeps its row and is tried again with the next sweep. Returns how many were
   * removed.
   */
  async function removeFiles(
    names: readonly string[],
    remove: (name: string) => Promise<void> = files.remove,
  ): Promise<number> {
    let removed = 0;
    let failure: { file: string; err: unknown } | undefined;
    for (const file of names) {
      if (stopped.signal.aborted) break;
      try {
        await remove(file);
        removed += 1;
      } catch (err) {
        failure ??= { file, err };
        // Each of the others would hold up the sweep for as long.
        if (err instanceof FilesUnavailable && isTimeout(err.cause)) break;
      }
    }
    // One line: where one file cannot be removed, often none can.
    if (failure)
      log.error(
        { ...failure, files: names.length - removed },
        'files could not be removed; trying again in a minute',
      );
    return removed;
  }

  async function deleteExpired({ expired, remove }: Pick<Files, 'expired' | 'remove'>): Promise<void> {
    for (;;) {
      const names = await expired(BATCH);
      const removed = await removeFiles(names, remove);
      if (names.length < BATCH || removed === 0 || stopped.signal.aborted) return;
    }
  }

  async function deleteTasks(): Promise<void> {
    const now = clock.now();
    for (;;) {
      const old = await db
        .selectFrom('tasks')
        .select('id')
        .where('finishedAt', '<=', now - limits.taskKeptMs)
        // Another task may begin with its picture.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('files')
                .select('name')
                .whereRef('files.taskId', '=', 'tasks.id')
                .where('removedAt', 'is', null)
                .where('expiresAt', '>', now),
            ),
          ),
        )
        .limit(BATCH)
        .execute();
      if (old.length === 0) return;
      const ids = old.map(({ id }) => id);
      const ofOld = db.selectFrom('files').where('taskId', 'in', ids).where('removedAt', 'is', null);
      await removeFiles((await ofOld.select('name').execute()).map(({ name }) => name));
      const kept = new Set((await ofOld.select('taskId').execute()).map(({ taskId }) => taskId));
      const removed = ids.filter((id) => !kept.has(id));
      if (removed.length === 0) return;
      await db.deleteFrom('files').where('taskId', 'in', removed).execute();
      await db.deleteFrom('webhooks').where('taskId', 'in', removed).execute();
      await db.deleteFrom('tasks').where('id', 'in', removed).execute();
      if (old.length < BATCH || stopped.signal.aborted) return;
    }
  }

  async function deleteIdempotencyRecords(): Promise<void> {
    await db
      .deleteFrom('replays')
      .where('createdAt', '<=', clock.now() - limits.idempotencyMs)
      .execute();
  }

  /** Where one of them fails, the others go on, until the service stops. */
  async function sweep(): Promise<void> {
    for (const remove of [
      ledger.expire,
      allowances.give,
      () => deleteExpired(files),
      () => deleteExpired(uploads),
      deleteTasks,
      deleteIdempotencyRecords,
    ]) {
      if (stopped.signal.aborted) return;
      await remove().catch((error: unknown) =>
        log.error({ err: error }, 'deleting expired data failed; trying again in a minute'),
      );
    }
  }

  return {
    sweep,

    start(): void {
      loop = repeat(sweep, { everyMs: SWEEP_MS, clock, signal: stopped.signal });
    },

    async close(): Promise<void> {
      stopped.abort();
      await loop;
    },
  };
}
