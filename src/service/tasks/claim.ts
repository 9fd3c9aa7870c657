import { PostgresAdapter, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { WORKFLOWS, type Workflow } from '../../contract/limits.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { ServiceLimits } from '../limits.ts';

/** Number of the lock that PostgreSQL keeps for claims; any that nothing else in the database uses. */
const CLAIMING = 4_281;

/** The key whose running tasks are counted by themselves; null where the account's other keys share the limit. */
const countedAlone = sql<number | null>`case when "keys"."maxRunning" is not null then "keys"."id" end`;

/** Takes the next task of some workflows whose account is not disabled and has room for it: from then on `owner` holds it. */
export function createClaim({
  db,
  clock,
  limits,
  owner,
}: {
  db: ServiceDatabase;
  clock: Clock;
  limits: ServiceLimits;
  owner: string;
}) {
  // SQLite has one writer at a time and knows no row locks.
  const rowLocks = db.getExecutor().adapter instanceof PostgresAdapter;

  /** The first in the queue, or in its part of one workflow, which has an index: found however many others wait. */
  const first = (now: number, workflow?: Workflow) =>
    db
      .selectFrom('tasks as next')
      .innerJoin('keys', 'keys.id', 'next.keyId')
      .leftJoin(
        // Grouped once for all that wait: there are few that run.
        (of) =>
          of
            .selectFrom('tasks')
            .innerJoin('keys', 'keys.id', 'tasks.keyId')
            .select(['keys.accountId', countedAlone.as('keyId')])
            .select((count) => count.fn.countAll<number>().as('count'))
            .where('tasks.state', '=', 'processing')
            .groupBy(['keys.accountId', countedAlone])
            .as('running'),
        (join) =>
          join
            .onRef('running.accountId', '=', 'next.accountId')
            .on('running.keyId', 'is not distinct from', countedAlone),
      )
      .select('next.id')
      .where('next.state', '=', sql.lit('pending'))
      .$if(workflow !== undefined, (query) => query.where('next.workflow', '=', workflow ?? ''))
      .where('next.deadlineAt', '>', now)
      .where('next.accountId', 'not in', (of) =>
        of.selectFrom('accounts').select('accounts.id').where('accounts.disabledAt', 'is not', null),
      )
      .where(
        (of) => of.fn.coalesce('running.count', of.lit(0)),
        '<',
        sql<number>`coalesce("keys"."maxRunning", ${limits.running})`,
      )
      .orderBy('next.turn')
      .orderBy('next.createdAt')
      .orderBy('next.id')
      .limit(1)
      .$if(rowLocks, (query) => query.forUpdate('next').skipLocked());

  function claimNext(trx: ServiceDatabase, workflows: readonly Workflow[]) {
    const now = clock.now();
    const all = workflows.length === WORKFLOWS.length;
    return trx
      .updateTable('tasks')
      .set((is) => ({
        state: 'processing',
        leaseOwner: owner,
        leaseUntil: now + limits.leaseMs,
        attempts: is('attempts', '+', 1),
        startedAt: now,
      }))
      .where('id', '=', (is) =>
        is
          .selectFrom('tasks as found')
          .select('found.id')
          .where('found.id', 'in', all ? [first(now)] : workflows.map((workflow) => first(now, workflow)))
          .orderBy('found.turn')
          .orderBy('found.createdAt')
          .orderBy('found.id')
          .limit(1),
      )
      .returning(['id', 'accountId', 'drawing', 'attempts', 'deadlineAt'])
      .executeTakeFirst();
  }

  /** One claim at a time among the processes of a PostgreSQL database, so that each sees what the others run. */
  const claimInTurn = (workflows: readonly Workflow[]) =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${CLAIMING})`.execute(trx);
      return claimNext(trx, workflows);
    });

  return (workflows: readonly Workflow[]) => (rowLocks ? claimInTurn(workflows) : claimNext(db, workflows));
}
