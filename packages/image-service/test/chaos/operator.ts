import { createVault, resealStale, type VaultKeys } from '@darkroom/storage';
import type { Random } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { createKeys } from '../../src/accounts/keys.ts';
import { tailOf } from '../../src/accounts/secrets.ts';
import type { ServiceDatabase } from '../../src/database/database.ts';
import { toMilli } from '../../src/ledger/credits.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { sealedRows } from '../../src/vault/sealed-rows.ts';
import { createSigningSecrets } from '../../src/webhooks/signing-secrets.ts';

/** What a grant of the operator gives. */
const GRANT = 7;

/** An operator who sets limits, gives credits and changes secrets while the service is disrupted. */
export function createOperator({
  db,
  accountId,
  key,
  random,
}: {
  db: ServiceDatabase;
  accountId: number;
  key: string;
  random: Random;
}) {
  const clock = systemClock;
  const ledger = createLedger({ db, clock });
  let grants = 0;

  return {
    /** All that was given, in credits. */
    granted: () => grants * GRANT,

    /** Does one of these things, with the secret that the processes have. */
    async act(secretKeys: VaultKeys): Promise<void> {
      const vault = createVault(secretKeys);
      const acts = [
        async () => {
          const limits = { maxRunning: random.between(1, 20), maxWaiting: random.between(5, 500) };
          await createKeys({ db, vault, clock }).limit(accountId, tailOf(key), limits);
        },
        async () => {
          grants += 1;
          const grant = { accountId, amount: toMilli(GRANT), once: `chaos-${grants}` };
          await Promise.all([ledger.grant(grant), ledger.grant(grant)]);
        },
        async () => void (await createSigningSecrets({ db, vault, clock }).rotate(accountId)),
      ];
      await acts[random.between(0, acts.length - 1)]?.();
    },

    /** Seals everything anew with the first of the keys. */
    async reseal(secretKeys: VaultKeys): Promise<void> {
      for await (const _ of resealStale(() => sealedRows(db, createVault(secretKeys))));
    },
  };
}
