import { sql } from 'kysely';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { TaskTable } from '../database/tables.ts';
import { tasksOfDisabled } from './disabled-accounts.ts';

/** The most tasks of the queue that are read one by one. */
export const MAX_WAITING = 1_000;

/** A task that is being drawn, or waits and is not of a disabled account, as the queue sees it. */
export interface QueuedTask
  extends Pick<
    TaskTable,
    'id' | 'accountId' | 'keyId' | 'workflow' | 'lane' | 'turn' | 'expectedMs' | 'startedAt'
  > {
  /** The limit of its key, where that has one of its own. */
  maxRunning: number | null;
}

const find = (state: 'processing' | 'pending') =>
  compileOnce((db) =>
    db
      .selectFrom('tasks')
      .innerJoin('keys', 'keys.id', 'tasks.keyId')
      .select(['tasks.id', 'tasks.accountId', 'tasks.keyId', 'keys.maxRunning', 'tasks.workflow'])
      .select(['tasks.lane', 'tasks.turn', 'tasks.expectedMs', 'tasks.startedAt'])
      .where('tasks.state', '=', sql.lit(state))
      .where('tasks.id', 'not in', tasksOfDisabled)
      .orderBy('tasks.turn')
      .orderBy('tasks.createdAt')
      .orderBy('tasks.id')
      .limit(sql.lit(MAX_WAITING)),
  );
const findRunning = find('processing');
const findWaiting = find('pending');

/** What is being drawn, and the beginning of the queue. */
export async function readQueue(
  db: ServiceDatabase,
): Promise<Record<'running' | 'waiting', readonly QueuedTask[]>> {
  return { running: await findRunning(db, {}), waiting: await findWaiting(db, {}) };
}

/** How many tasks wait, by their turn. Reads the whole queue, from an index. */
export const countTurns = compileOnce((db) =>
  db
    .selectFrom('tasks')
    .select(['turn'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', sql.lit('pending'))
    .where('id', 'not in', tasksOfDisabled)
    .groupBy('turn')
    .orderBy('turn'),
);

/** The tasks of a turn that wait, in their order. */
export const findTurn = compileOnce((db, value: Placeholders<{ turn: number }>) =>
  db
    .selectFrom('tasks')
    .select('id')
    .where('state', '=', sql.lit('pending'))
    .where('id', 'not in', tasksOfDisabled)
    .where('turn', '=', value('turn'))
    .orderBy('createdAt')
    .orderBy('id'),
);
