import type { Workflow } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import type { Drawing } from '../engines/engine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lockAccount } from '../ledger/ledger-queries.ts';
import type { ServiceLimits } from '../limits.ts';
import { createClaim } from './claim.ts';
import { readDrawing } from './stored-drawing.ts';
import { taskEnded } from './task-ended.ts';
import { type Failure, TIMED_OUT } from './tasks.ts';

/** A task that this process holds until its lease ends. */
export interface ClaimedTask {
  id: string;
  accountId: number;
  drawing: Drawing;
  /** How often the task was begun. Together with the owner, it identifies this claim. */
  attempt: number;
  /** Milliseconds since the epoch. */
  deadlineAt: number;
}

export type Queue = ReturnType<typeof createQueue>;

/**
 * Tasks as the processes see them that draw them. A process claims a task with a lease and renews the lease; when the
 * process dies, the lease ends and another process may claim the task. What a process writes counts only while it holds
 * the task.
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
  /** Id of this process among those that share the database. */
  owner: string;
}) {
  const NO_LEASE = { leaseOwner: null, leaseUntil: null } as const;
  const PENDING_AGAIN = {
    state: 'pending',
    progress: 0,
    startedAt: null,
    preview: null,
    ...NO_LEASE,
  } as const;
  const claim = createClaim({ db, clock, limits, owner });

  const held = ({ id, attempt }: ClaimedTask) => ({
    id,
    attempts: attempt,
    state: 'processing' as const,
    leaseOwner: owner,
  });

  return {
    /** Claims the next task of these workflows that may be drawn now. */
    async claim(workflows: readonly Workflow[]): Promise<ClaimedTask | undefined> {
      const claimed = await claim(workflows);
      if (!claimed) return undefined;
      const { drawing, attempts, ...task } = claimed;
      return { ...task, drawing: readDrawing(task.id, drawing), attempt: attempts };
    },

    /** Completes a task with a picture that can be fetched until `expiresAt`; false where the task is no longer held. */
    complete: (task: ClaimedTask, picture: string, expiresAt: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const finishedAt = clock.now();
        const { numUpdatedRows } = await trx
          .updateTable('tasks')
          .set({ state: 'completed', picture, preview: null, progress: 100, finishedAt, ...NO_LEASE })
          .where((eb) => eb.and(held(task)))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await trx.updateTable('files').set({ expiresAt }).where('name', '=', picture).execute();
        await ledger.capture(trx, task.id);
        await taskEnded(trx, task.id, finishedAt);
        return true;
      }),

    /** Fails a task and releases its credits; false where the task is no longer held. */
    fail: (task: ClaimedTask, failure: Failure): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, task);
        const { numUpdatedRows } = await trx
          .updateTable('tasks')
          .set({ state: 'failed', ...failure, preview: null, finishedAt: clock.now(), ...NO_LEASE })
          .where((eb) => eb.and(held(task)))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await ledger.release(trx, task.id);
        await taskEnded(trx, task.id, clock.now());
        return true;
      }),

    /** Puts a task back into the queue as if it had not been begun. */
    async requeue(task: ClaimedTask): Promise<void> {
      await db
        .updateTable('tasks')
        .set((eb) => ({ ...PENDING_AGAIN, attempts: eb('attempts', '-', 1) }))
        .where((eb) => eb.and(held(task)))
        .execute();
    },

    /** Renews the leases of this process; returns the ids of the tasks that it still holds. */
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

    /** Saves progress, and the name of a preview; nothing happens where the task is no longer held. */
    async saveProgress(
      task: ClaimedTask,
      { progress, preview }: { progress: number; preview?: string },
    ): Promise<void> {
      await db
        .updateTable('tasks')
        .set({ progress, ...(preview !== undefined && { preview }) })
        .where((eb) => eb.and(held(task)))
        .execute();
    },

    /**
     * Recovers the tasks that no process draws: one whose lease has ended goes back into the queue, or fails after its
     * last attempt; one that is past its deadline fails. Returns how many there were.
     */
    async recover(): Promise<number> {
      const now = clock.now();
      const { numUpdatedRows } = await db
        .updateTable('tasks')
        .set(PENDING_AGAIN)
        .where('state', '=', 'processing')
        .where('leaseUntil', '<', now)
        .where('attempts', '<', limits.attempts)
        .where('deadlineAt', '>', now)
        .executeTakeFirst();
      const lost = await db
        .selectFrom('tasks')
        .select(['id', 'state', 'attempts', 'accountId'])
        .where((eb) =>
          eb.or([
            eb.and([eb('state', '=', 'pending'), eb('deadlineAt', '<=', now)]),
            eb.and([eb('state', '=', 'processing'), eb('leaseUntil', '<', now)]),
          ]),
        )
        .execute();
      for (const { id, state, attempts, accountId } of lost) {
        await db.transaction().execute(async (trx) => {
          await lockAccount(trx, { accountId });
          const failed = await trx
            .updateTable('tasks')
            .set({ state: 'failed', ...TIMED_OUT, preview: null, finishedAt: now, ...NO_LEASE })
            .where((eb) => eb.and({ id, state, attempts }))
            .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
            .executeTakeFirst();
          if (failed.numUpdatedRows === 0n) return;
          await ledger.release(trx, id);
          await taskEnded(trx, id, now);
        });
      }
      return Number(numUpdatedRows) + lost.length;
    },
  };
}
