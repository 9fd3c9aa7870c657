import { ownCommand } from '@darkroom/process';
import { proveVault, type Vault } from '@darkroom/storage';
import type { ServiceDatabase } from '../database/database.ts';

/** Says to the vault what the proof is. */
export const PROOF_CONTEXT = 'proof of the secret';

/**
 * Makes sure that `vault` has the secret of this database, as its other processes do: see `proveVault`. Who does not
 * write leaves the proof as it is.
 */
export function proveDatabase(
  db: ServiceDatabase,
  vault: Vault,
  { writes = true }: { writes?: boolean } = {},
): Promise<void> {
  return proveVault(vault, {
    context: PROOF_CONTEXT,
    read: async () =>
      (await db.selectFrom('installation').select('vaultProof').executeTakeFirstOrThrow()).vaultProof ??
      undefined,
    async replace(before, sealed) {
      if (!writes) return true;
      const { numUpdatedRows } = await db
        .updateTable('installation')
        .set({ vaultProof: sealed })
        .where((eb) => (before === undefined ? eb('vaultProof', 'is', null) : eb('vaultProof', '=', before)))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    store: 'the database',
    reset: {
      command: ownCommand('service', 'vault reset'),
      leaves:
        'API keys then go on working but are not shown any more, and webhooks are signed with new secrets',
    },
  });
}
