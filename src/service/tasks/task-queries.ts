import { type Selectable, sql } from 'kysely';
import { compileOnce, type Slots } from '../database/compiled.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { TaskTable } from '../database/tables.ts';

/** What an account sees of a task of its own. */
export const VISIBLE = [
  'id',
  'state',
  'seed',
  'cost',
  'turn',
  'progress',
  'expectedMs',
  'createdAt',
  'startedAt',
  'finishedAt',
  'picture',
  'preview',
  'error',
  'errorCode',
] as const satisfies (keyof TaskTable)[];
export type Task = Pick<Selectable<TaskTable>, (typeof VISIBLE)[number]>;

/** What differs from one new task to the next. */
type Inserted = Pick<
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

/** A statement that finds up to `size` tasks; fewer are looked up by repeating the last of them. */
function findUpTo(size: number) {
  const places = Array.from({ length: size }, (_, place) => `${place}`);
  const find = compileOnce((db, id: Slots<Readonly<Record<string, string>>>) =>
    db.selectFrom('tasks').select(VISIBLE).select('accountId').where('id', 'in', places.map(id)),
  );
  return {
    size,
    find: (db: ServiceDatabase, ids: readonly string[]) =>
      find(db, Object.fromEntries(places.map((place, at) => [place, ids[at] ?? ids.at(-1) ?? '']))),
  };
}

/** How many tasks are looked up together at most. */
export const FOUND_TOGETHER = 64;

const many = findUpTo(FOUND_TOGETHER);
/** From the narrowest on: most polls come alone, and a wide statement costs them more than a narrow one. */
const findings = [findUpTo(1), findUpTo(8), many];

/** The tasks of up to `FOUND_TOGETHER` ids, whosever they are. */
export function findTasks(
  db: ServiceDatabase,
  ids: readonly string[],
): Promise<(Task & { accountId: number })[]> {
  return (findings.find(({ size }) => size >= ids.length) ?? many).find(db, ids);
}

/** Places in the queue of those of the tasks that wait: 1 is drawn next. It costs one walk along the queue. */
export const findPositions = (db: ServiceDatabase, ids: readonly string[]) =>
  db
    .selectFrom((is) =>
      is
        .selectFrom('tasks')
        .select('id')
        .select((of) =>
          of.fn
            .agg<number>('row_number')
            .over((over) => over.orderBy('turn').orderBy('createdAt').orderBy('id'))
            .as('position'),
        )
        .where('state', '=', 'pending')
        .as('queue'),
    )
    .select(['id', 'position'])
    .where('id', 'in', ids)
    .execute();

/** How many tasks wait of the key, or of all keys of the account that share a limit; the count ends at `max`. */
export const countWaiting = { ofKey: countWaitingOf('key'), shared: countWaitingOf('account') };

function countWaitingOf(whose: 'key' | 'account') {
  return compileOnce((db, value: Slots<{ keyId: number; accountId: number; max: number }>) =>
    db
      .selectFrom((is) =>
        is
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
          .limit(value('max'))
          .as('waiting'),
      )
      .select((is) => is.fn.countAll<number>().as('waiting')),
  );
}

/** Adds a task that waits; nothing comes back where a task has its id already. */
export const insertTask = compileOnce((db, value: Slots<Inserted>) =>
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

/** The turn of a new task: after the account's own, and not before the one that is being drawn. */
export const findTurn = compileOnce((db, value: Slots<{ accountId: number }>) => {
  const accountId = value('accountId');
  const turns = sql<{ turn: number }>`
    select coalesce(max("turn"), 0) as "turn" from (
      select max("turn") + 1 as "turn" from "tasks" where "accountId" = ${accountId} and "state" = 'pending'
      union all
      select max("turn") + 1 from "tasks" where "accountId" = ${accountId} and "state" = 'processing'
      union all
      select max("turn") from "tasks" where "state" = 'processing'
      union all
      select min("turn") from "tasks" where "state" = 'pending'
    ) as "turns"`;
  return { compile: () => turns.compile(db) };
});
