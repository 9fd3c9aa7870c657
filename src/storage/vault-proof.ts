import { ownCommand } from '@darkroom/process';
import { proveVault, sqlitePath, type Vault } from '@darkroom/storage';
import { z } from 'zod';
import type { SealedField } from './sealed-field.ts';
import type { Store } from './store.ts';
import { isSqlite, type StoreUrl } from './store-url.ts';

/** Where the bot's store keeps its proof of the secret. */
export const vaultProof = {
  collection: 'vault',
  field: 'sealed',
  contextOf: (id) => `vault:${id}`,
} as const satisfies SealedField;

const ID = 'proof';
const proofRow = z.object({ [vaultProof.field]: z.string() });

const resetCommand = () => ownCommand('vault', 'reset');

/** What a key file that is missing has sealed: see `openVault`. */
export const sealedStore = (url: StoreUrl) => ({
  file: isSqlite(url) ? sqlitePath(url) : undefined,
  reset: resetCommand(),
});

/** Makes sure that `vault` has the secret of this store: see `proveVault`. */
export function proveStore({ store, vault }: { store: Store; vault: Vault }): Promise<void> {
  const proofs = store.collection(vaultProof.collection, proofRow);
  return proveVault(vault, {
    context: vaultProof.contextOf(ID),
    read: async () => (await proofs.get(ID))?.sealed,
    async replace(before, sealed) {
      if (before === undefined) return store.insert([proofs.row(ID, { sealed })]);
      const written = await proofs.update(ID, (row) => (row.sealed === before ? { sealed } : undefined));
      return written !== undefined;
    },
    store: 'the store',
    reset: {
      command: resetCommand(),
      leaves: 'members and servers then link their keys again',
    },
  });
}
