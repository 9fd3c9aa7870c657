import type { Log } from '@darkroom/process';
import { type Clock, repeat } from '@darkroom/time';
import type { ServiceDatabase } from './database/database.ts';
import { inList } from './database/in-list.ts';
import { logUnlessUnavailable } from './database/log-unless-unavailable.ts';
import { createRemovals, type Expiring } from './files/removals.ts';
import type { Allowances } from './ledger/allowances.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { ServiceLimits } from './limits.ts';

const SWEEP_MS = 60_000;
/** Rows that are deleted at once: few enough that nobody waits long for the database. */
const BATCH = 500;

type Chores = Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;

/**
 * What is done every minute: writes off expired credits, gives what is due of allowances, and deletes what has expired.
 * Files and uploads are removed beside all else, as that may take hours.
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
  files: Expiring;
  uploads: Expiring;
  ledger: Ledger;
  allowances: Allowances;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
}) {
  const stopped = new AbortController();
  let loops: Promise<void>[] = [];

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

  /** A key stays as long as any of its tasks, and as long as these would: until then it can be revoked once more. */
  async function deleteRevokedKeys(): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH && !stopped.signal.aborted; ) {
      const { numDeletedRows } = await db
        .deleteFrom('keys')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('keys')
            .select('keys.id')
            .where('revokedAt', '<=', clock.now() - limits.taskKeptMs)
            .where(({ not, exists, selectFrom }) =>
              not(exists(selectFrom('tasks').select('tasks.id').whereRef('tasks.keyId', '=', 'keys.id'))),
            )
            .limit(BATCH),
        )
        .executeTakeFirstOrThrow();
      deleted = Number(numDeletedRows);
    }
  }

  async function deleteIdempotencyRecords(): Promise<void> {
    const until = clock.now() - limits.idempotencyMs;
    for (;;) {
      const next = await db
        .selectFrom('replays')
        .select('createdAt')
        .where('createdAt', '<=', until)
        .orderBy('createdAt')
        .offset(BATCH)
        .limit(1)
        .executeTakeFirst();
      await db
        .deleteFrom('replays')
        .where('createdAt', '<=', next?.createdAt ?? until)
        .execute();
      if (!next || stopped.signal.aborted) return;
    }
  }

  const signal = stopped.signal;
  /** One beside the other. A task is deleted once its files are removed, which come first where all is done once. */
  const lists: readonly Chores[] = [
    { 'deleting expired files': createRemovals(files, { log, signal }) },
    { 'deleting expired uploads': createRemovals(uploads, { log, signal }) },
    {
      'writing off expired credits': ledger.expire,
      'giving allowances': allowances.give,
      'deleting old tasks': deleteTasks,
      'deleting revoked keys': deleteRevokedKeys,
      'deleting idempotency records': deleteIdempotencyRecords,
    },
  ];

  /** Where one of them fails, the others go on, until the service stops. */
  async function perform(chores: Chores): Promise<void> {
    for (const [chore, work] of Object.entries(chores)) {
      if (signal.aborted) return;
      await work(signal).catch(logUnlessUnavailable(log, `${chore} failed; trying again in a minute`));
    }
  }

  return {
    /** Does everything once. */
    async sweep(): Promise<void> {
      for (const chores of lists) await perform(chores);
    },

    start(): void {
      loops = lists.map((chores) => repeat(() => perform(chores), { everyMs: SWEEP_MS, clock, signal }));
    },

    async close(): Promise<void> {
      stopped.abort();
      await Promise.all(loops);
    },
  };
}
