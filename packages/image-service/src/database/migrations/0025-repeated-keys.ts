import type { Migration } from './migration.ts';

/** Under which `Idempotency-Key` a key was made: whoever lost the answer gets the same key again. */
export const repeatedKeys: Migration = {
  name: '0025-repeated-keys',

  async up(db) {
    await db.schema.alterTable('keys').addColumn('idempotencyKey', 'text').execute();
  },
};
