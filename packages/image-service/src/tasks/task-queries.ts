import { type Selectable, sql } from 'kysely';
import type { TaskTable } from '../database/tables.ts';
import { withIds } from '../database/with-ids.ts';
import { withRows } from '../database/with-rows.ts';

/** The columns that an account's own tasks are read with. */
export const TASK_COLUMNS = [
  'id',
  'state',
  'seed',
  'cost',
  'charged',
  'turn',
  'progress',
  'position',
  'endsAt',
  'expectedMs',
  'createdAt',
  'startedAt',
  'finishedAt',
  'picture',
  'notDrawn',
  'preview',
  'error',
  'errorCode',
  'reference',
] as const satisfies (keyof TaskTable)[];
export type Task = Pick<Selectable<TaskTable>, (typeof TASK_COLUMNS)[number]> & {
  /** See `WebhookTable.status`; only of a task that was found by its id. */
  webhook?: string | null;
};

/** The states of a task that has not ended. */
export const UNFINISHED = ['pending', 'processing'] as const;

/** The longest drawing that a list reads: any of words, and a graph of usual size. */
const LISTED_BYTES = 65_536;
/** A drawing as a list reads it: null where it is so long that a page of such would hold up everybody. */
export const listedDrawing = sql<
  string | null
>`case when octet_length("drawing") <= ${sql.lit(LISTED_BYTES)} then "drawing" end`;

/** The columns that a new task is inserted with; the others have the same values for each. */
const NEW_TASK_COLUMNS = {
  id: true,
  accountId: true,
  keyId: true,
  drawing: true,
  workflow: true,
  lane: true,
  seed: true,
  cost: true,
  turn: true,
  expectedMs: true,
  createdAt: true,
  deadlineAt: true,
  reference: true,
} as const satisfies Partial<Record<keyof TaskTable, true>>;

/** The tasks of these ids, of any account. */
export const findTasks = withIds((db, ids: string[]) =>
  db
    .selectFrom('tasks')
    .select(TASK_COLUMNS)
    .select('accountId')
    .select((eb) =>
      eb
        .selectFrom('webhooks')
        .select('webhooks.status')
        .whereRef('webhooks.taskId', '=', 'tasks.id')
        .as('webhook'),
    )
    .where('id', 'in', ids),
);

/** Inserts pending tasks; returns the ids of those that were: not of one whose id another task has. */
export const insertTasks = withRows(
  NEW_TASK_COLUMNS,
  (db, tasks: Pick<Selectable<TaskTable>, keyof typeof NEW_TASK_COLUMNS>[]) =>
    db
      .insertInto('tasks')
      .values(tasks.map((task) => ({ ...task, state: 'pending', progress: 0, attempts: 0 })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
);
