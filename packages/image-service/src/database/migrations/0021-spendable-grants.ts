import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Allowances leave a grant an hour or a day, most of them spent: what is read of an account are those that are not.
 */
export const spendableGrants: Migration = {
  name: '0021-spendable-grants',

  async up(db) {
    const index = (name: string, column: string) =>
      db.schema
        .createIndex(name)
        .on('grants')
        .column(column)
        .where(sql.ref('remaining'), '>', sql.lit(0))
        .execute();
    await index('spendableOfAccount', 'accountId');
    await index('spendableByExpiry', 'expiresAt');
    await index('spendableOfAllowance', 'allowanceId');
    await db.schema.dropIndex('grantsOfAllowance').execute();
  },
};
