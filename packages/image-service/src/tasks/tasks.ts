import { type Clock, collectUntil, createBatch } from '@darkroom/time';
import { sql } from 'kysely';
import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { TaskTable } from '../database/tables.ts';
import { MAX_IDS } from '../database/with-ids.ts';
import { ASKED, NOT_ASKED } from '../engines/engine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ServiceLimits } from '../limits.ts';
import { tasksOfDisabled } from './disabled-accounts.ts';
import { createFailTask, drawnPart, type Failure } from './fail-task.ts';
import { type DrawingRequest, readRequest } from './stored-drawing.ts';
import type { OnEnded } from './task-ended.ts';
import { findTasks, insertTasks, listedDrawing, TASK_COLUMNS, type Task } from './task-queries.ts';

export type TaskState = Task['state'];

const CANCELLED: Failure = { error: 'Task was cancelled', errorCode: 'cancelled' };

export type Tasks = ReturnType<typeof createTasks>;

/**
 * Tasks as their accounts see them. The table is also the queue: pending tasks are drawn in order of `turn`.
 *
 * A task gets its turn at submission: one after the account's last unfinished task, and not before the turn that is
 * being drawn. So the accounts take turns (self-clocked fair queueing, Golestani 1994): one that submits a thousand
 * tasks delays the single task of another by one picture at most.
 */
export function createTasks({
  db,
  ledger,
  clock,
  limits,
  onEnded = () => undefined,
}: {
  db: ServiceDatabase;
  ledger: Ledger;
  clock: Clock;
  limits: ServiceLimits;
  onEnded?: OnEnded;
}) {
  const failTask = createFailTask({ db, ledger, clock, onEnded });

  /** Polls whose keys were looked up together share one read, as most of its cost is locking the database. */
  const find = createBatch(
    async (asked: readonly { id: string; accountId: number }[]) => {
      const tasks = await findTasks(
        db,
        asked.map(({ id }) => id),
        {},
      );
      const byId = new Map(tasks.map((task) => [task.id, task]));
      return asked.map(({ id, accountId }) => {
        const task = byId.get(id);
        return task?.accountId === accountId ? task : undefined;
      });
    },
    { max: MAX_IDS, collect: collectUntil.endOfMicrotasks },
  );

  return {
    /**
     * Queues tasks, in a transaction that has locked their accounts; returns the ids of those that are no other
     * task's.
     */
    async add(trx: ServiceTransaction, added: readonly (NewTask & { turn: number })[]): Promise<Set<string>> {
      const now = clock.now();
      const { taskMs } = limits;
      const rows = await insertTasks(
        trx,
        added.map(({ holder, ...task }) => ({
          ...task,
          expectedMs: task.expectedMs === null ? null : Math.min(task.expectedMs, taskMs),
          accountId: holder.account.id,
          keyId: holder.keyId,
          createdAt: now,
          deadlineAt: now + taskMs,
        })),
      );
      return new Set(rows.map(({ id }) => id));
    },

    /** Position in the queue that a new task of that turn would have. */
    async positionOf(turn: number): Promise<number> {
      const { ahead } = await db
        .selectFrom('tasks')
        .select((eb) => eb.fn.countAll<number>().as('ahead'))
        .where('state', '=', 'pending')
        .where('id', 'not in', tasksOfDisabled)
        .where('turn', '<=', turn)
        .executeTakeFirstOrThrow();
      return ahead + 1;
    },

    /** The task of that id, where it belongs to the account. */
    find: (id: string, accountId: number): Promise<Task | undefined> => find({ id, accountId }),

    /** The account's tasks and what they were asked for, newest first; `after` is the last one of the page before. */
    async list(
      accountId: number,
      page: { state?: TaskState | undefined; after?: PageCursor | undefined; limit: number },
    ): Promise<ListedTask[]> {
      const { state, after, limit } = page;
      const rows = await db
        .selectFrom('tasks')
        .select([...TASK_COLUMNS, 'workflow', listedDrawing.as('drawing')])
        .where('accountId', '=', accountId)
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'pending'))
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`("createdAt", "id") < (${after?.createdAt}, ${after?.id})`),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ drawing, ...task }) => ({
        ...task,
        ...(drawing === null ? {} : readRequest(drawing)),
      }));
    },

    /**
     * Cancels an unfinished task, and releases what it does not cost. It costs as much of its price as has been drawn
     * of it: nothing while it waits, or where its machine has refused it for now, and all of it where its machine draws
     * it to the end and is paid for that. Returns what it costs, in thousandths of a credit; undefined where it is
     * finished or does not exist.
     */
    cancel: (taskId: string, accountId: number): Promise<number | undefined> =>
      failTask(
        { taskId, accountId },
        // A task that waits again, because the process that drew it is lost, has no progress.
        {
          ...CANCELLED,
          charged: sql<number>`case
            when "state" = 'processing' and "remembered" = ${ASKED} then "cost"
            when "remembered" = ${NOT_ASKED} then 0
            else ${drawnPart()} end`,
        },
      ),
  };
}

/** `expectedMs` is capped at the time that a task may take. */
export interface NewTask
  extends Pick<
    TaskTable,
    'id' | 'workflow' | 'lane' | 'seed' | 'drawing' | 'cost' | 'expectedMs' | 'reference'
  > {
  holder: KeyHolder;
}

/** A task with what it was asked for, as far as that can be read. */
export type ListedTask = Task & { workflow: string } & DrawingRequest;

/** The last task of a page, after which the next one begins. */
export type PageCursor = Pick<Task, 'createdAt' | 'id'>;
