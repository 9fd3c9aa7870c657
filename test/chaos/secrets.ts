import { createHash } from 'node:crypto';
import type { VaultKeys } from '@darkroom/storage';
import { runVaultCommand } from '../../src/operator/vault-commands.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import type { Trace } from './trace.ts';

const secretOf = (nth: number): string => createHash('sha256').update(`secret ${nth}`).digest('hex');

/**
 * The secret of the bots, rotated as docs/operations.md says: a new one is put before the old one, then everything is
 * sealed anew while a bot runs, and the old one goes.
 */
export function createSecrets(url: StoreUrl, trace: Trace) {
  let keys: VaultKeys = [secretOf(0)];
  let rotations = 0;

  return {
    /** For the next process. */
    keys: () => keys,
    /** From the next process on. Does nothing where the rotation before has not ended. */
    putNew(): void {
      if (keys.length > 1) return;
      rotations += 1;
      keys = [secretOf(rotations), ...keys];
    },
    /** Rejects where the store does not let itself be written, and keeps both. */
    async sealAnew(): Promise<void> {
      const said = await runVaultCommand(['rotate'], { STORE_URL: url, SECRET_KEY: keys.join(',') });
      keys = [keys[0]];
      trace.record('run', said.trim());
    },
  };
}
