import type { Clock } from '@darkroom/time';
import { type ExpressionBuilder, type ExpressionWrapper, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lockAccounts } from '../ledger/ledger-queries.ts';
import { type OnEnded, type TaskOutcome, taskEnded } from './task-ended.ts';
import { UNFINISHED } from './task-queries.ts';

/** Why a task failed: words for its owner, and a stable code. */
export interface Failure {
  error: string;
  errorCode: Exclude<TaskOutcome, 'completed' | 'refused'>;
  /** Whether it failed because of what its caller asked for. The operator has nothing to mend. */
  refused?: boolean;
}

export const TIMED_OUT: Failure = { error: 'Task processing failed or timed out', errorCode: 'timed_out' };

/** As much of the price of a task as has been drawn of it, by its `progress` unless `percent` says more of it. */
export const drawnPart = (percent?: number): RawBuilder<number> =>
  percent === undefined ? sql`"cost" * "progress" / 100` : sql`"cost" * cast(${percent} as integer) / 100`;

/** What else has to be so of the task. */
type Condition = (eb: ExpressionBuilder<Tables, 'tasks'>) => ExpressionWrapper<Tables, 'tasks', SqlBool>;

/**
 * Fails an unfinished task, and releases what it does not cost: all of its credits but `charged`. Resolves with what
 * it costs, in thousandths of a credit; undefined where it is finished, or not as `condition` has it.
 */
export const createFailTask =
  ({
    db,
    ledger,
    clock,
    onEnded,
  }: {
    db: ServiceDatabase;
    ledger: Pick<Ledger, 'settle'>;
    clock: Clock;
    onEnded: OnEnded;
  }) =>
  async (
    { taskId, accountId }: { taskId: string; accountId: number },
    { refused = false, ...failure }: Failure & { charged?: RawBuilder<number> },
    condition: Condition = (eb) => eb.and([]),
  ): Promise<number | undefined> => {
    const charged = await db.transaction().execute(async (trx) => {
      await lockAccounts(trx, [accountId]);
      const finishedAt = clock.now();
      const failed = await trx
        .updateTable('tasks')
        .set({ state: 'failed', ...failure, finishedAt, preview: null, leaseOwner: null, leaseUntil: null })
        .where('id', '=', taskId)
        .where('accountId', '=', accountId)
        .where('state', 'in', UNFINISHED)
        .where(condition)
        .returning('charged')
        .executeTakeFirst();
      if (!failed) return undefined;
      const cost = failed.charged ?? 0;
      await ledger.settle(trx, taskId, cost);
      await taskEnded(trx, taskId, finishedAt);
      return cost;
    });
    const outcome = refused ? 'refused' : failure.errorCode;
    onEnded(taskId, charged === undefined ? undefined : { outcome, charged });
    return charged;
  };
