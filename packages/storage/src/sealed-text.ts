import type { Vault } from './vault.ts';

/** `current`: sealed with the first key. `stale`: with a later one. `lost`: no key here opens it. */
type SealedState = 'current' | 'stale' | 'lost';

/** A text that a vault has sealed, where it is stored. */
export interface StoredSecret {
  state: SealedState;
  /** Seals it with the first key; false where its row has changed since it was read. Throws where it is `lost`. */
  reseal(): Promise<boolean>;
}

export function sealedState(
  vault: Vault,
  { sealed, context }: { sealed: string; context: string },
): SealedState {
  try {
    vault.open(sealed, context);
  } catch {
    return 'lost';
  }
  return vault.isStale(sealed) ? 'stale' : 'current';
}

/** What `sealed` holds, sealed with the vault's first key. Throws where it cannot be opened. */
export const resealed = (vault: Vault, { sealed, context }: { sealed: string; context: string }): string =>
  vault.seal(vault.open(sealed, context), context);

/** How often rows are looked at again that others have written meanwhile. */
const PASSES = 5;

/**
 * Seals what is `stale` with the first key, while others may write; yields each that was. `all` reads from the
 * beginning.
 */
export async function* resealStale<Secret extends StoredSecret>(
  all: () => AsyncIterable<Secret>,
): AsyncGenerator<Secret> {
  let missed = true;
  for (let pass = 0; missed && pass < PASSES; pass++) {
    missed = false;
    for await (const secret of all()) {
      if (secret.state !== 'stale') continue;
      if (await secret.reseal()) yield secret;
      else missed = true;
    }
  }
}
