import { randomUUID } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import type { ExpressionBuilder } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';
import { inList } from '../database/in-list.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { Tables, TaskTable } from '../database/tables.ts';
import type { Drawing } from '../engines/engine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ServiceLimits } from '../limits.ts';
import { type Claimable, createClaim, leaseIsOver } from './claim.ts';
import { createFailTask, drawnPart, type Failure, TIMED_OUT } from './fail-task.ts';
import { readDrawing } from './stored-drawing.ts';
import { type OnEnded, taskEnded } from './task-ended.ts';
import { UNFINISHED } from './task-queries.ts';

/** One drawing of a task, from its claim until it is completed, failed or put back into the queue. */
export interface Run extends Pick<TaskTable, 'accountId' | 'workflow' | 'lane' | 'startedAt' | 'deadlineAt'> {
  /** Unlike that of any other run. Its task names its last run, and so who may still end it. */
  id: string;
  taskId: string;
  drawing: Drawing;
  /** What an engine is told again of this drawing (see `DrawOptions.remember`), perhaps not written down yet. */
  remembered: string | null;
}

/** How far a task is, as it is kept. */
export type SavedProgress = Pick<TaskTable, 'progress' | 'position' | 'endsAt'>;

export type Queue = ReturnType<typeof createQueue>;

/**
 * Tasks as seen by the processes that draw them. A process claims a task for a run, with a lease that it renews. Where
 * the process is lost the lease ends, `recover` puts the task back into the queue, and one lease later another process
 * may claim it: a lease that ended while nobody reached the database says nothing of its process. A run may end its
 * task for as long as no other run has begun it, even where its lease has ended: what is drawn is not thrown away.
 */
export function createQueue({
  db,
  ledger,
  workflows,
  clock,
  limits,
  onEnded = () => undefined,
}: {
  db: ServiceDatabase;
  ledger: Ledger;
  /** See `createClaim`. */
  workflows: readonly string[];
  clock: Clock;
  limits: ServiceLimits;
  onEnded?: OnEnded;
}) {
  const PENDING_AGAIN = {
    state: 'pending',
    progress: 0,
    startedAt: null,
    position: null,
    endsAt: null,
    preview: null,
    leaseUntil: null,
  } as const;
  const rowLocks = hasRowLocks(db);
  const claim = createClaim({ db, workflows, clock, limits });
  const failTask = createFailTask({ db, ledger, clock, onEnded });

  /** Whether the run may still end its task. */
  const endable =
    ({ id, taskId }: Pick<Run, 'id' | 'taskId'>) =>
    (eb: ExpressionBuilder<Tables, 'tasks'>) =>
      eb.and([eb('id', '=', taskId), eb('leaseOwner', '=', id), eb('state', 'in', UNFINISHED)]);

  /**
   * Fails a task and releases its credits, but for the part that is paid for: `drawnPercent` of it. Undefined where the
   * run may not end it any more.
   */
  const fail = (
    run: Pick<Run, 'id' | 'taskId' | 'accountId'>,
    { drawnPercent, ...failure }: Failure & { drawnPercent?: number | undefined },
  ) =>
    failTask(
      run,
      { ...failure, ...(drawnPercent !== undefined && { charged: drawnPart(drawnPercent) }) },
      (eb) => eb('leaseOwner', '=', run.id),
    );

  return {
    /** Claims the next task that may be drawn now; one that has lost its last attempt fails instead. */
    async claim(claimable: Claimable): Promise<Run | undefined> {
      for (;;) {
        const id = randomUUID();
        const claimed = await claim(id, claimable);
        if (!claimed) return undefined;
        const { id: taskId, drawing, attempts, ...task } = claimed;
        const run = { ...task, id, taskId };
        // A drawing that cannot be read would otherwise be claimed again and again.
        if (attempts <= limits.attempts) return { ...run, drawing: readDrawing(taskId, drawing) };
        await fail(run, TIMED_OUT);
      }
    },

    /**
     * Completes a task with a picture that can be fetched until `expiresAt`. Returns what it costs, in thousandths of
     * a credit; undefined where the run may not end it any more.
     */
    async complete(
      run: Run,
      {
        name,
        expiresAt,
        notDrawn = [],
      }: { name: string; expiresAt: number; notDrawn?: readonly string[] | undefined },
    ): Promise<number | undefined> {
      const cost = await db.transaction().execute(async (trx) => {
        const finishedAt = clock.now();
        const completed = await trx
          .updateTable('tasks')
          .set((eb) => ({
            state: 'completed',
            startedAt: eb.fn.coalesce('startedAt', eb.val(run.startedAt)),
            finishedAt,
            picture: name,
            notDrawn: notDrawn.length > 0 ? JSON.stringify(notDrawn) : null,
            preview: null,
            progress: 100,
            leaseOwner: null,
            leaseUntil: null,
          }))
          .where(endable(run))
          .returning('cost')
          .executeTakeFirst();
        if (!completed) return undefined;
        await trx.updateTable('files').set({ expiresAt }).where('name', '=', name).execute();
        await ledger.settle(trx, run.taskId, completed.cost);
        await taskEnded(trx, run.taskId, finishedAt);
        return completed.cost;
      });
      onEnded(run.taskId, cost === undefined ? undefined : { outcome: 'completed', charged: cost });
      return cost;
    },

    fail,

    /**
     * Puts a task back into the queue as if the run had not been, but for what it remembers. Where its lease has
     * ended and another run has begun the task, only the attempt is given back: the process was not lost.
     */
    async requeue(run: Run): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('tasks')
        .set((eb) => ({
          ...PENDING_AGAIN,
          remembered: run.remembered,
          leaseOwner: null,
          attempts: eb('attempts', '-', 1),
        }))
        .where(endable(run))
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
      await db
        .updateTable('tasks')
        .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
        .where('id', '=', run.taskId)
        .where('state', 'in', UNFINISHED)
        .where('attempts', '>', 1)
        .execute();
    },

    /**
     * Renews the leases of runs, also one that has ended where no other run has begun the task; returns the ids of
     * the runs that hold their tasks now.
     */
    async renew(runs: readonly Run[]): Promise<ReadonlySet<string>> {
      const kept = await db
        .updateTable('tasks')
        .set({ state: 'processing', leaseUntil: clock.now() + limits.leaseMs })
        .where('id', 'in', taskIdsOf(runs))
        .where('leaseOwner', 'in', idsOf(runs))
        .where('state', 'in', UNFINISHED)
        .returning('leaseOwner')
        .execute();
      return new Set(kept.flatMap(({ leaseOwner }) => leaseOwner ?? []));
    },

    /** The ids of the tasks of runs that have not ended. */
    async unfinished(runs: readonly Run[]): Promise<ReadonlySet<string>> {
      const found = await db
        .selectFrom('tasks')
        .select('id')
        .where('id', 'in', taskIdsOf(runs))
        .where('state', 'in', UNFINISHED)
        .execute();
      return new Set(found.map(({ id }) => id));
    },

    /**
     * Keeps what an engine is told again of the task's drawing by a run after this one (see `DrawOptions.remember`).
     * Rejects where this run does not hold the task any more.
     */
    async remember(run: Run, remembered: string): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('tasks')
        .set({ remembered })
        .where(endable(run))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new Error('the run does not hold its task any more');
    },

    /** Saves how far a task is; nothing happens where the run does not hold it. */
    async saveProgress({ id, taskId }: Run, progress: SavedProgress & { preview?: string }): Promise<void> {
      await db
        .updateTable('tasks')
        .set(progress)
        .where('id', '=', taskId)
        .where('leaseOwner', '=', id)
        .where('state', '=', 'processing')
        .execute();
    },

    /**
     * Recovers the tasks that no process draws: one whose lease has ended goes back into the queue, where it is kept
     * for its run for another lease; one that is past its deadline fails, one by one until `signal` aborts. The runs of
     * this process end by themselves. Returns how many there were.
     */
    async recover(own: readonly Run[], signal?: AbortSignal): Promise<number> {
      const now = clock.now();
      const notOwn = (eb: ExpressionBuilder<Tables, 'tasks'>) =>
        own.length === 0
          ? eb.lit(true)
          : eb.or([eb('leaseOwner', 'is', null), eb('leaseOwner', 'not in', idsOf(own))]);
      const { numUpdatedRows } = await db
        .updateTable('tasks')
        .set({ ...PENDING_AGAIN, leaseUntil: now + limits.leaseMs })
        // One that somebody has locked is being renewed, ended, or recovered by another process.
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('tasks')
            .select('id')
            .where('state', '=', 'processing')
            .where(leaseIsOver(now, limits))
            .where(notOwn)
            .where('deadlineAt', '>', now)
            .$if(rowLocks, (query) => query.forUpdate().skipLocked()),
        )
        .executeTakeFirst();
      const failing = await db
        .selectFrom('tasks')
        .select(['id as taskId', 'accountId', 'leaseOwner'])
        .where(notOwn)
        .where('finishedAt', 'is', null)
        .where('deadlineAt', '<=', now)
        .where(leaseIsOver(now, limits))
        .execute();
      for (const { leaseOwner, ...task } of failing) {
        if (signal?.aborted) break;
        await failTask(task, TIMED_OUT, (eb) =>
          eb.and([eb('leaseOwner', 'is not distinct from', leaseOwner), leaseIsOver(now, limits)]),
        );
      }
      return Number(numUpdatedRows) + failing.length;
    },
  };
}

const taskIdsOf = (runs: readonly Run[]): string[] => inList(runs.map(({ taskId }) => taskId));
const idsOf = (runs: readonly Run[]): string[] => inList(runs.map(({ id }) => id));
