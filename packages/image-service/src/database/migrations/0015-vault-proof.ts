import type { Migration } from './migration.ts';

/** A text that everybody knows, sealed: who can open it has the secret of this database. */
export const vaultProof: Migration = {
  name: '0015-vault-proof',

  async up(db) {
    await db.schema.alterTable('installation').addColumn('vaultProof', 'text').execute();
  },
};
