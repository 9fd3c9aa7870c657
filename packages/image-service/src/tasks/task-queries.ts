import { type Selectable, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
import type { ServiceDatabase } from '../database/database.ts';
import { findByIds } from '../database/find-by-ids.ts';
import type { TaskTable } from '../database/tables.ts';

/** The columns that an account's own tasks are read with. */
export const TASK_COLUMNS = [
  'id',
  'state',
  'seed',
  'cost',
  'charged',
  'turn',
  'progress',
  'expectedMs',
  'createdAt',
  'startedAt',
  'finishedAt',
  'picture',
  'notDrawn',
  'preview',
  'error',
  'errorCode',
] as const satisfies (keyof TaskTable)[];
export type Task = Pick<Selectable<TaskTable>, (typeof TASK_COLUMNS)[number]> & {
  /** See `WebhookTable.status`; only of a task that was found by its id. */
  webhook?: string | null;
  /** See `aheadWithinTurn`; only of a task that was found by its id while the queue was long. */
  ahead?: number | null;
};

/** Of a row of `tasks`: how many tasks of the same turn are before it; null where it does not wait. */
export const aheadWithinTurn = sql<number | null>`case when "tasks"."state" = 'pending' then (
  select count(*) from "tasks" as "other"
  where "other"."state" = 'pending' and "other"."turn" = "tasks"."turn"
    and ("other"."createdAt", "other"."id") < ("tasks"."createdAt", "tasks"."id")
) end`;

/** The longest drawing that a list reads: any of words, and a graph of usual size. */
const LISTED_BYTES = 65_536;
/** A drawing as a list reads it: null where it is so long that a page of such would hold up everybody. */
export const listedDrawing = sql<
  string | null
>`case when octet_length("drawing") <= ${sql.lit(LISTED_BYTES)} then "drawing" end`;

/** The columns that a new task is inserted with; the others have the same values for each. */
type NewTaskRow = Pick<
  Selectable<TaskTable>,
  | 'id'
  | 'accountId'
  | 'keyId'
  | 'drawing'
  | 'workflow'
  | 'seed'
  | 'cost'
  | 'turn'
  | 'expectedMs'
  | 'createdAt'
  | 'deadlineAt'
>;

/** The tasks of up to `MAX_FOUND` ids, of any account. */
export const findTasks = findByIds((db, ids) => selectFound(db, ids));

/** The same with their places within their turns: one read instead of two for who waits far behind. */
export const findTasksWithin = findByIds((db, ids) =>
  selectFound(db, ids).select(aheadWithinTurn.as('ahead')),
);

const selectFound = (db: ServiceDatabase, ids: string[]) =>
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
    .where('id', 'in', ids);

/**
 * How many tasks of the key are pending, or of all keys of the account that share a limit, counted up to `max`; and the turn
 * of a new task: after those of its account, and not before the one that is being drawn.
 */
export const findRoom = { ofKey: findRoomOf('key'), shared: findRoomOf('account') };

function findRoomOf(whose: 'key' | 'account') {
  return compileOnce((db, value: Placeholders<{ keyId: number; accountId: number; max: number }>) => {
    const pending = db
      .selectFrom('tasks')
      .select('id')
      .where('state', '=', 'pending')
      .$if(whose === 'key', (query) => query.where('keyId', '=', value('keyId')))
      .$if(whose === 'account', (query) =>
        query.where('keyId', 'in', (keys) =>
          keys
            .selectFrom('keys')
            .select('keys.id')
            .where('keys.accountId', '=', value('accountId'))
            .where('keys.maxWaiting', 'is', null),
        ),
      )
      .limit(value('max'));
    const accountId = value('accountId');
    const room = sql<{ waiting: number; turn: number }>`
      select (select count(*) from (${pending}) as "pending") as "waiting", coalesce(max("turn"), 0) as "turn" from (
        select max("turn") + 1 as "turn" from "tasks" where "accountId" = ${accountId} and "state" = 'pending'
        union all
        select max("turn") + 1 from "tasks" where "accountId" = ${accountId} and "state" = 'processing'
        union all
        select max("turn") from "tasks" where "state" = 'processing'
        union all
        select min("turn") from "tasks" where "state" = 'pending'
      ) as "turns"`;
    return { compile: () => room.compile(db) };
  });
}

/** Inserts a pending task; returns no row where there is already a task with its id. */
export const insertTask = compileOnce((db, value: Placeholders<NewTaskRow>) =>
  db
    .insertInto('tasks')
    .values({
      id: value('id'),
      accountId: value('accountId'),
      keyId: value('keyId'),
      state: 'pending',
      drawing: value('drawing'),
      workflow: value('workflow'),
      seed: value('seed'),
      cost: value('cost'),
      turn: value('turn'),
      progress: 0,
      expectedMs: value('expectedMs'),
      createdAt: value('createdAt'),
      deadlineAt: value('deadlineAt'),
      attempts: 0,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
);
