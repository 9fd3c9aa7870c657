import { expressionBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

const eb = expressionBuilder<Tables, never>();

/** The accounts whose tasks are not drawn. */
export const disabledAccounts = eb
  .selectFrom('accounts')
  .select('accounts.id')
  .where('accounts.disabledAt', 'is not', null);

/** Their pending tasks, by ids: who counts a long queue without these still reads nothing but indexes. */
export const tasksOfDisabled = eb
  .selectFrom('tasks')
  .select('tasks.id')
  .where('tasks.state', '=', sql.lit('pending'))
  .where('tasks.accountId', 'in', disabledAccounts);
