import type { Migration } from './migration.ts';

/** Until when a login token counts. Those that were issued before have no end. */
export const tokenTimes: Migration = {
  name: '0007-token-times',

  async up(db) {
    await db.schema.alterTable('loginTokens').addColumn('expiresAt', 'bigint').execute();
  },
};
