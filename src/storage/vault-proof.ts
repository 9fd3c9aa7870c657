import { OperatorError } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import { z } from 'zod';
import type { SealedField } from './sealed-field.ts';
import type { Store } from './store.ts';

/** A text that everybody knows, sealed: who can open it has the secret of this store. */
export const vaultProof = {
  collection: 'vault',
  field: 'sealed',
  contextOf: (id) => `vault:${id}`,
} as const satisfies SealedField;

const ID = 'proof';
const WORDS = 'the secret of this store';
const proofRow = z.object({ [vaultProof.field]: z.string() });

/** Of a store without a proof, how many rows of a collection are tried. */
const TRIED = 20;

const ADVICE =
  'Put back the one that it had: SECRET_KEY, where it may stand behind a new one after a comma, or secret.key beside the store. ' +
  'Is it lost for good, npm run vault -- reset erases what nobody can open any more; members and servers then link their keys again.';

/**
 * Makes sure that `vault` has the secret of this store, and writes down the proof for the next start. Version 0.1.0 wrote
 * none: there some texts in `fields` are tried. Rejects with an `OperatorError` where it is another secret.
 */
export async function proveVault(
  { store, vault }: { store: Store; vault: Vault },
  fields: readonly SealedField[],
): Promise<void> {
  const proof = await store.collection(vaultProof.collection, proofRow).get(ID);
  const texts = proof
    ? [{ sealed: proof.sealed, context: vaultProof.contextOf(ID) }]
    : (await Promise.all(fields.map((field) => someSealed(store, field)))).flat();
  if (texts.length > 0 && !texts.some(({ sealed, context }) => canOpen(vault, sealed, context))) {
    throw new OperatorError(`What is sealed in the store does not open with this secret. ${ADVICE}`);
  }
  if (proof && !vault.isStale(proof.sealed)) return;
  const sealed = vault.seal(WORDS, vaultProof.contextOf(ID));
  await store.collection(vaultProof.collection, proofRow).set(ID, { sealed });
}

export function canOpen(vault: Vault, sealed: string, context: string): boolean {
  try {
    vault.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}

async function someSealed(store: Store, { collection, field, contextOf }: SealedField) {
  // What does not fit is not ours to set aside.
  const rows = store.collection(collection, z.object({ [field]: z.string().optional() }).catch({}));
  return (await rows.list({ limit: TRIED })).flatMap(({ id, value }) => {
    const sealed = value[field];
    return sealed === undefined ? [] : [{ sealed, context: contextOf(id) }];
  });
}
