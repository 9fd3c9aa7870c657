import { type Selectable, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
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
};

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
export const findTasks = findByIds((db, ids) =>
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

/** What decides whether there is room for a new task, and in which turn. A turn is null where there is no such task. */
interface Room {
  /** Tasks of the key that are pending, or of all keys of the account that share a limit. */
  waiting: number;
  lastWaiting: number | null;
  lastDrawn: number | null;
  /** Of all accounts. */
  drawn: number | null;
  first: number | null;
}

export const findRoom = { ofKey: findRoomOf('key'), shared: findRoomOf('account') };

function findRoomOf(whose: 'key' | 'account') {
  return compileOnce((db, value: Placeholders<{ keyId: number; accountId: number }>) => {
    const pending = db
      .selectFrom('tasks')
      .select((eb) => eb.fn.countAll().as('count'))
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
      );
    const accountId = value('accountId');
    // Columns of their own, as SQLite takes twice as long for a union of them.
    const room = sql<Room>`
      select (${pending}) as "waiting",
        (select max("turn") from "tasks" where "accountId" = ${accountId} and "state" = 'pending') as "lastWaiting",
        (select max("turn") from "tasks" where "accountId" = ${accountId} and "state" = 'processing') as "lastDrawn",
        (select max("turn") from "tasks" where "state" = 'processing') as "drawn",
        (select min("turn") from "tasks" where "state" = 'pending') as "first"`;
    return { compile: () => room.compile(db) };
  });
}

/** The turn of a new task: after those of its account, and not before the one that is being drawn. */
export const turnAfter = ({ lastWaiting, lastDrawn, drawn, first }: Omit<Room, 'waiting'>): number =>
  Math.max((lastWaiting ?? -1) + 1, (lastDrawn ?? -1) + 1, drawn ?? 0, first ?? 0);

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
