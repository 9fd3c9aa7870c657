import { OperatorError } from '@darkroom/process';
import { sealedState } from './sealed-text.ts';
import type { Vault } from './vault.ts';

const WORDS = 'the secret of this store';

/**
 * Where a store keeps its proof: a text that everybody knows, sealed. Who can open it has the secret of the store.
 */
interface VaultProof {
  /** Says whose it is, to the vault. */
  context: string;
  /** The proof; undefined where there is none. */
  read(): Promise<string | undefined>;
  /** Writes `sealed` in place of `before`; false where another process has changed that meanwhile. */
  replace(before: string | undefined, sealed: string): Promise<boolean>;
  /** What an operator calls the store, such as `the store`. */
  store: string;
  /** The command that gives up what a lost secret has sealed, and what becomes of its owners then: a clause. */
  reset: { command: string; leaves: string };
}

/**
 * Makes sure that `vault` has the secret of a store, and writes down the proof for the next start, sealed with its
 * first key. Rejects with an `OperatorError` where it is another secret. A store without a proof is new, or was
 * reset: it takes the secret that is set.
 */
export async function proveVault(vault: Vault, proof: VaultProof): Promise<void> {
  const { context } = proof;
  const known = await proof.read();
  const state = known === undefined ? 'stale' : sealedState(vault, { sealed: known, context });
  if (state === 'lost') throw refusal(proof);
  if (state === 'current') return;
  const written = await proof.replace(known, vault.seal(WORDS, context));
  // Another process has written the first one, perhaps with another secret.
  if (!written && known === undefined) await proveVault(vault, proof);
}

const refusal = ({ store, reset: { command, leaves } }: VaultProof): OperatorError =>
  new OperatorError(
    `What is sealed in ${store} does not open with this secret. Put back the one that it had: SECRET_KEY, where it may stand ` +
      `behind a new one after a comma, or secret.key beside ${store}. ` +
      `If it is lost for good, ${command} erases what nobody can open any more; ${leaves}.`,
  );
