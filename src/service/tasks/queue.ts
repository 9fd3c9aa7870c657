import type { Clock } from '../../clock.ts';
import type { Workflow } from '../../contract/limits.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { Drawing } from '../engines/engine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lockAccount } from '../ledger/ledger-queries.ts';
import type { ServiceLimits } from '../limits.ts';
import { createClaim } from './claim.ts';
import { readDrawing } from './stored-drawing.ts';
import { type Failure, TIMED_OUT } from './tasks.ts';

/** A task that this process may draw, until its lease ends. */
export interface ClaimedTask {
  id: string;
  accountId: number;
  drawing: Drawing;
  /** Counts the times the task was begun; with the owner's name it tells whose work a picture is. */
  attempt: number;
  /** Milliseconds since the epoch. */
  deadlineAt: number;
}

export type Queue = ReturnType<typeof createQueue>;

/**
 * Tasks as the processes that draw them see them. A process takes a task with a lease that it renews; when the process
 * is lost the lease ends, and the task is another's. Whatever a process writes about a task counts only while it holds it.
 */
export function createQueue({
  db,
  ledger,
  clock,
  limits,
  owner,
}: {
  db: ServiceDatabase;
  ledger: Ledger;
  clock: Clock;
  limits: ServiceLimits;
  /** Name of this process among those that share the database. */
  owner: string;
}) {
  const FREE = { leaseOwner: null, leaseUntil: null } as const;
  const AGAIN = { state: 'pending', progress: 0, startedAt: null, preview: null, ...FREE } as const;
  const claim = createClaim({ db, clock, limits, owner });

  const held = ({ id, attempt }: ClaimedTask) => ({
    id,
    attempts: attempt,
    state: 'processing' as const,
    leaseOwner: owner,
  });

  return {
    /** Takes the next task of these workflows that may be drawn now, for this process alone. */
    async claim(workflows: readonly Workflow[]): Promise<ClaimedTask | undefined> {
      const claimed = await claim(workflows);
      if (!claimed) return undefined;
      const { drawing, attempts, ...task } = claimed;
      return { ...task, drawing: readDrawing(task.id, drawing), attempt: attempts };
    },

    /** Ends a task with its picture, which can be fetched until `expiresAt`; false where the task is no longer held. */
    complete: (task: ClaimedTask, picture: string, expiresAt: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const finishedAt = clock.now();
        const { numUpdatedRows } = await trx
          .updateTable('tasks')
          .set({ state: 'completed', picture, preview: null, progress: 100, finishedAt, ...FREE })
          .where((is) => is.and(held(task)))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await trx.updateTable('files').set({ expiresAt }).where('name', '=', picture).execute();
        await ledger.capture(trx, task.id);
        return true;
      }),

    /** Ends a task without a picture and gives its credits back; false where the task is no longer held. */
    fail: (task: ClaimedTask, failure: Failure): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, task);
        const { numUpdatedRows } = await trx
          .updateTable('tasks')
          .set({ state: 'failed', ...failure, preview: null, finishedAt: clock.now(), ...FREE })
          .where((is) => is.and(held(task)))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await ledger.release(trx, task.id);
        return true;
      }),

    /** Puts a task back as if it had not been begun: this process stops. */
    async handBack(task: ClaimedTask): Promise<void> {
      await db
        .updateTable('tasks')
        .set((is) => ({ ...AGAIN, attempts: is('attempts', '-', 1) }))
        .where((is) => is.and(held(task)))
        .execute();
    },

    /** Extends this process's leases; returns the ids of the tasks that it still holds. */
    async renew(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const kept = await db
        .updateTable('tasks')
        .set({ leaseUntil: clock.now() + limits.leaseMs })
        .where('id', 'in', ids)
        .where('state', '=', 'processing')
        .where('leaseOwner', '=', owner)
        .returning('id')
        .execute();
      return new Set(kept.map(({ id }) => id));
    },

    async report(
      task: ClaimedTask,
      { progress, preview }: { progress: number; preview?: string },
    ): Promise<void> {
      await db
        .updateTable('tasks')
        .set({ progress, ...(preview !== undefined && { preview }) })
        .where((is) => is.and(held(task)))
        .execute();
    },

    /**
     * Looks after tasks that nobody draws: one whose process was lost goes back into the queue, or fails after its
     * last attempt; one that is past its deadline fails. Returns how many there were.
     */
    async recover(): Promise<number> {
      const now = clock.now();
      const { numUpdatedRows } = await db
        .updateTable('tasks')
        .set(AGAIN)
        .where('state', '=', 'processing')
        .where('leaseUntil', '<', now)
        .where('attempts', '<', limits.attempts)
        .where('deadlineAt', '>', now)
        .executeTakeFirst();
      const lost = await db
        .selectFrom('tasks')
        .select(['id', 'state', 'attempts', 'accountId'])
        .where((is) =>
          is.or([
            is.and([is('state', '=', 'pending'), is('deadlineAt', '<=', now)]),
            is.and([is('state', '=', 'processing'), is('leaseUntil', '<', now)]),
          ]),
        )
        .execute();
      for (const { id, state, attempts, accountId } of lost) {
        await db.transaction().execute(async (trx) => {
          await lockAccount(trx, { accountId });
          const failed = await trx
            .updateTable('tasks')
            .set({ state: 'failed', ...TIMED_OUT, preview: null, finishedAt: now, ...FREE })
            .where((is) => is.and({ id, state, attempts }))
            .where((is) => is.or([is('leaseUntil', 'is', null), is('leaseUntil', '<', now)]))
            .executeTakeFirst();
          if (failed.numUpdatedRows > 0n) await ledger.release(trx, id);
        });
      }
      return Number(numUpdatedRows) + lost.length;
    },
  };
}
