import { type Clock, HOUR_MS } from '@darkroom/time';
import { type Selectable, sql } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';
import { inList } from '../database/in-list.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { TaskTable } from '../database/tables.ts';
import type { ServiceLimits } from '../limits.ts';
import { disabledAccounts } from './disabled-accounts.ts';

/** Id of PostgreSQL's advisory lock for claims; any number that nothing else uses. */
const CLAIM_LOCK = 4_281;

/** The id of a key with a limit of its own; null for the keys that share their account's limit. */
const ownLimitKeyId = sql<number | null>`case when "keys"."maxRunning" is not null then "keys"."id" end`;

/**
 * A lease that ends this much later than one that is given now was given before the clock was set back, and counts as
 * over.
 */
const SET_BACK_MS = HOUR_MS;

/** Of tasks that no run holds: their lease has ended, or ends later than any that is given now. */
export const leaseIsOver = (now: number, { leaseMs }: Pick<ServiceLimits, 'leaseMs'>) =>
  sql<boolean>`("leaseUntil" is null or "leaseUntil" < ${now} or "leaseUntil" > ${now + leaseMs + SET_BACK_MS})`;

export interface Claimable {
  /** Names of those whose engine has room. */
  workflows: readonly string[];
  /** Whether this machine has room for what is drawn beside engines, of all workflows. */
  cpu: boolean;
  /** Ids of tasks that may not: this process draws them. */
  except: readonly string[];
}

/** Claims the next task whose account is not disabled and below its limit: then the run of that id holds it. */
export function createClaim({
  db,
  workflows: known,
  clock,
  limits,
}: {
  db: ServiceDatabase;
  /** Names of all that this process draws: another version, or other settings, may have queued more. */
  workflows: readonly string[];
  clock: Clock;
  limits: ServiceLimits;
}) {
  const rowLocks = hasRowLocks(db);

  /**
   * The first task of the queue, or of a lane in one workflow. Each has an index, so the length of the queue does not
   * matter.
   */
  const first = (
    now: number,
    except: readonly string[],
    of?: Pick<Selectable<TaskTable>, 'workflow' | 'lane'>,
  ) =>
    db
      .selectFrom('tasks as next')
      .innerJoin('keys', 'keys.id', 'next.keyId')
      .leftJoin(
        // Grouped once and not per pending task: few tasks run.
        (eb) =>
          eb
            .selectFrom('tasks')
            .innerJoin('keys', 'keys.id', 'tasks.keyId')
            .select(['keys.accountId', ownLimitKeyId.as('keyId')])
            .select((count) => count.fn.countAll<number>().as('count'))
            .where('tasks.state', '=', 'processing')
            .groupBy(['keys.accountId', ownLimitKeyId])
            .as('running'),
        (join) =>
          join
            .onRef('running.accountId', '=', 'next.accountId')
            .on('running.keyId', 'is not distinct from', ownLimitKeyId),
      )
      .select('next.id')
      .where('next.state', '=', sql.lit('pending'))
      .$call((query) =>
        of
          ? query.where('next.workflow', '=', of.workflow).where('next.lane', '=', sql.lit(of.lane))
          : query.where('next.workflow', 'in', known),
      )
      .$if(except.length > 0, (query) => query.where('next.id', 'not in', inList(except)))
      .where('next.deadlineAt', '>', now)
      .where(leaseIsOver(now, limits))
      .where('next.accountId', 'not in', disabledAccounts)
      .where(
        (eb) => eb.fn.coalesce('running.count', eb.lit(0)),
        '<',
        sql<number>`coalesce("keys"."maxRunning", ${limits.running})`,
      )
      .orderBy('next.turn')
      .orderBy('next.createdAt')
      .orderBy('next.id')
      .limit(1)
      .$if(rowLocks, (query) => query.forUpdate('next').skipLocked());

  function claimNext(trx: ServiceDatabase, runId: string, { workflows, cpu, except }: Claimable) {
    const now = clock.now();
    const all = cpu && workflows.length === known.length;
    const withRoom = [
      ...workflows.map((workflow) => ({ workflow, lane: 'engine' as const })),
      ...(cpu ? known.map((workflow) => ({ workflow, lane: 'cpu' as const })) : []),
    ];
    return trx
      .updateTable('tasks')
      .set((eb) => ({
        state: 'processing',
        leaseOwner: runId,
        leaseUntil: now + limits.leaseMs,
        attempts: eb('attempts', '+', 1),
        startedAt: now,
      }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('tasks as found')
          .select('found.id')
          .where('found.id', 'in', all ? [first(now, except)] : withRoom.map((of) => first(now, except, of)))
          .orderBy('found.turn')
          .orderBy('found.createdAt')
          .orderBy('found.id')
          .limit(1),
      )
      .returning(['id', 'accountId', 'workflow', 'lane', 'drawing', 'remembered'])
      .returning(['startedAt', 'deadlineAt', 'attempts'])
      .executeTakeFirst();
  }

  /** One claim at a time among all processes on a PostgreSQL database, so that each sees what the others run. */
  const claimUnderLock = (runId: string, claimable: Claimable) =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
      return claimNext(trx, runId, claimable);
    });

  return (runId: string, claimable: Claimable) =>
    rowLocks ? claimUnderLock(runId, claimable) : claimNext(db, runId, claimable);
}
