import { sql } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';

/** The latest entries of an account's ledger, newest first, each with the sum of all up to it. */
export const findEntries = (
  db: ServiceDatabase,
  accountId: number,
  { taskId, limit }: { taskId?: string | undefined; limit: number },
) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('entries')
        .select(['id', 'createdAt', 'kind', 'amount', 'grantId', 'taskId'])
        .select(sql<number>`sum("amount") over (order by "id")`.as('after'))
        .where('accountId', '=', accountId)
        .as('entries'),
    )
    .selectAll()
    .$if(taskId !== undefined, (query) => query.where('taskId', '=', taskId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
