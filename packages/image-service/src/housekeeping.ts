import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { type Clock, isTimeout, repeat } from '@darkroom/time';
import type { ServiceDatabase } from './database/database.ts';
import { inList } from './database/in-list.ts';
import { FilesUnavailable } from './files/file-place.ts';
import type { Files } from './files/files.ts';
import type { Uploads } from './inputs/uploads.ts';
import type { Allowances } from './ledger/allowances.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { ServiceLimits } from './limits.ts';

const SWEEP_MS = 60_000;
/** Rows that are deleted at once: few enough that nobody waits long for the database. */
const BATCH = 500;

/**
 * What is done every minute: deletes what has expired, writes off expired credits, and gives what is due of allowances.
 */
export function createHousekeeping({
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
  async function removeFiles(names: readonly string[], remove: Files['remove']): Promise<number> {
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

  /** A sweep that removes none of a batch leaves those behind it to the next one, until all have had their turn. */
  function deletionOf({ expired, remove }: Pick<Files, 'expired' | 'remove'>): () => Promise<void> {
    let stuck = 0;
    return async () => {
      for (;;) {
        const names = await expired({ limit: BATCH, offset: stuck });
        const removed = await removeFiles(names, remove);
        stuck = names.length < BATCH ? 0 : stuck + names.length - removed;
        if (names.length < BATCH || removed === 0 || stopped.signal.aborted) return;
      }
    };
  }

  async function deleteTasks(): Promise<void> {
    for (;;) {
      const old = await db
        .selectFrom('tasks')
        .select('id')
        .where('finishedAt', '<=', clock.now() - limits.taskKeptMs)
        // One is removed when it has expired: another task may begin with it.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('files')
                .select('name')
                .whereRef('files.taskId', '=', 'tasks.id')
                .where('removedAt', 'is', null),
            ),
          ),
        )
        .limit(BATCH)
        .execute();
      if (old.length === 0) return;
      const ids = inList(old.map(({ id }) => id));
      await db.deleteFrom('files').where('taskId', 'in', ids).execute();
      await db.deleteFrom('webhooks').where('taskId', 'in', ids).execute();
      await db.deleteFrom('tasks').where('id', 'in', ids).execute();
      if (old.length < BATCH || stopped.signal.aborted) return;
    }
  }

  async function deleteIdempotencyRecords(): Promise<void> {
    await db
      .deleteFrom('replays')
      .where('createdAt', '<=', clock.now() - limits.idempotencyMs)
      .execute();
  }

  const chores: Readonly<Record<string, () => Promise<unknown>>> = {
    'writing off expired credits': ledger.expire,
    'giving allowances': allowances.give,
    'deleting expired files': deletionOf(files),
    'deleting expired uploads': deletionOf(uploads),
    'deleting old tasks': deleteTasks,
    'deleting idempotency records': deleteIdempotencyRecords,
  };

  /** Where one of them fails, the others go on, until the service stops. */
  async function sweep(): Promise<void> {
    for (const [chore, work] of Object.entries(chores)) {
      if (stopped.signal.aborted) return;
      await work().catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable))
          log.error({ err: error }, `${chore} failed; trying again in a minute`);
      });
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
