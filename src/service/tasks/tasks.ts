import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Workflow } from '../../contract/limits.ts';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { createBatch } from '../database/batch.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lockAccount } from '../ledger/ledger-queries.ts';
import type { ServiceLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import {
  countWaiting,
  FOUND_TOGETHER,
  findPositions,
  findTasks,
  findTurn,
  insertTask,
  type Task,
  VISIBLE,
} from './task-queries.ts';

export type TaskState = Task['state'];

/** Why a task failed: words for its owner, and a stable code. */
export interface Failure {
  error: string;
  errorCode: 'drawing_failed' | 'timed_out' | 'cancelled';
}

export const TIMED_OUT: Failure = { error: 'Task processing failed or timed out', errorCode: 'timed_out' };
const CANCELLED: Failure = { error: 'Task was cancelled', errorCode: 'cancelled' };

/** Pages whose positions are looked up together at most. */
const PAGES_TOGETHER = 50;

/** How soon a caller whose queue is full may try again, in seconds. */
const QUEUE_FULL_RETRY_SECONDS = 10;

export type Tasks = ReturnType<typeof createTasks>;

/**
 * Tasks as their accounts see them. They are the queue, too: what is pending is drawn in order of `turn`.
 *
 * A turn is given at submission: one after the account's last unfinished task, and not before the turn that is being
 * drawn. So accounts take turns (self-clocked fair queueing, Golestani 1994), and one that submits a thousand tasks
 * delays another's single task by no more than one picture.
 */
export function createTasks({
  db,
  ledger,
  clock,
  limits,
}: {
  db: ServiceDatabase;
  ledger: Ledger;
  clock: Clock;
  limits: ServiceLimits;
}) {
  const ofAccount = (accountId: number) =>
    db.selectFrom('tasks').select(VISIBLE).where('accountId', '=', accountId);

  /** Polls that arrive together are one read: most of what a read costs is the database's locks. */
  const find = createBatch(FOUND_TOGETHER, async (asked: readonly { id: string; accountId: number }[]) => {
    const tasks = await findTasks(
      db,
      asked.map(({ id }) => id),
    );
    const byId = new Map(tasks.map((task) => [task.id, task]));
    return asked.map(({ id, accountId }) => {
      const task = byId.get(id);
      return { result: task?.accountId === accountId ? task : undefined };
    });
  });

  const findPages = createBatch(PAGES_TOGETHER, async (pages: readonly (readonly string[])[]) => {
    const found = await findPositions(db, [...new Set(pages.flat())]);
    const positions: ReadonlyMap<string, number> = new Map(found.map(({ id, position }) => [id, position]));
    return pages.map(() => ({ result: positions }));
  });

  return {
    /** Queues a drawing, in a transaction that has locked the account; false where a task has its id already. */
    async add(trx: ServiceTransaction, { holder, ...task }: NewTask): Promise<boolean> {
      const now = clock.now();
      const { taskMs } = limits;
      const [next] = await findTurn(trx, { accountId: holder.account.id });
      const added = await insertTask(trx, {
        ...task,
        expectedMs: task.expectedMs === null ? null : Math.min(task.expectedMs, taskMs),
        accountId: holder.account.id,
        keyId: holder.keyId,
        turn: next?.turn ?? 0,
        createdAt: now,
        deadlineAt: now + taskMs,
      });
      return added.length > 0;
    },

    /** Refused where as many tasks wait as may: of a key that has a limit of its own, or of all the others together. */
    async requireRoom(trx: ServiceTransaction, { keyId, account, maxWaiting }: KeyHolder): Promise<void> {
      const max = maxWaiting ?? limits.waiting;
      const count = maxWaiting === null ? countWaiting.shared : countWaiting.ofKey;
      const [{ waiting } = { waiting: 0 }] = await count(trx, { keyId, accountId: account.id, max });
      if (waiting < max) return;
      throw new Refusal(
        'queue_full',
        `This ${maxWaiting === null ? 'account' : 'key'} has ${waiting} tasks waiting, which is the most it may have.`,
        {
          details: { max },
          headers: { 'retry-after': String(QUEUE_FULL_RETRY_SECONDS) },
        },
      );
    },

    /** The task of that id, where it belongs to the account. */
    find: (id: string, accountId: number): Promise<Task | undefined> => find({ id, accountId }),

    /** The account's tasks, newest first; `after` is the last one of the page before. */
    list(
      accountId: number,
      page: { state?: TaskState | undefined; after?: PageCursor | undefined; limit: number },
    ) {
      const { state, after, limit } = page;
      return ofAccount(accountId)
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'pending'))
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`("createdAt", "id") < (${after?.createdAt}, ${after?.id})`),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Place in the queue of a pending task: 1 is drawn next. */
    async position({ turn, createdAt, id }: Task): Promise<number> {
      const { ahead } = await db
        .selectFrom('tasks')
        .select((is) => is.fn.countAll<number>().as('ahead'))
        .where('state', '=', 'pending')
        .where(sql<boolean>`("turn", "createdAt", "id") < (${turn}, ${createdAt}, ${id})`)
        .executeTakeFirstOrThrow();
      return ahead + 1;
    },

    /** Places in the queue of tasks, by id; those that do not wait any more have none. */
    positions: (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => findPages(ids),

    /** Ends a task that is not finished and gives its credits back; false where it was finished, or is not there. */
    cancel: (id: string, accountId: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, { accountId });
        const cancelled = await trx
          .updateTable('tasks')
          .set({ state: 'failed', ...CANCELLED, finishedAt: clock.now(), leaseOwner: null, leaseUntil: null })
          .where('id', '=', id)
          .where('accountId', '=', accountId)
          .where('state', 'in', ['pending', 'processing'])
          .returning('id')
          .executeTakeFirst();
        if (cancelled) await ledger.release(trx, id);
        return cancelled !== undefined;
      }),
  };
}

export interface NewTask {
  id: string;
  holder: KeyHolder;
  workflow: Workflow;
  seed: number;
  /** See `stored-drawing.ts`. */
  drawing: string;
  /** Thousandths of a credit. */
  cost: number;
  /** How long the drawing should take, as far as is known; no longer is expected than a task may take. */
  expectedMs: number | null;
}

/** The last task of a page, after which the next one begins. */
export type PageCursor = Pick<Task, 'createdAt' | 'id'>;
