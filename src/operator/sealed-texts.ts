import { resealed, type StoredSecret, sealedState, type Vault } from '@darkroom/storage';
import { sealedPendingTokens } from '../bot/pending-tokens.ts';
import { sealedKeys } from '../credentials/linked-key.ts';
import { sealedJobSecrets } from '../jobs/job-store.ts';
import type { SealedField } from '../storage/sealed-field.ts';
import type { Table } from '../storage/table.ts';
import { vaultProof } from '../storage/vault-proof.ts';

interface Called {
  one: string;
  several: string;
}

interface Sealed extends SealedField {
  /** What an operator calls such a row, and several of them. */
  called: Called;
  /** Whether it is worth something without what is sealed in it. */
  outlives: boolean;
}

/** What the vault has sealed in a store. */
const SEALED: readonly Sealed[] = [
  { ...sealedKeys, called: { one: 'linked key', several: 'linked keys' }, outlives: false },
  { ...sealedJobSecrets, called: { one: 'job', several: 'jobs' }, outlives: true },
  {
    ...sealedPendingTokens,
    called: { one: 'answer under way', several: 'answers under way' },
    outlives: false,
  },
  { ...vaultProof, called: { one: 'proof of the secret', several: 'proofs of the secret' }, outlives: false },
];

/** A sealed text in its row. */
export interface SealedText extends StoredSecret {
  called: Called;
  key: string;
  /** Erases the row, or the secret in it where it outlives that; not where it has changed since it was read. */
  erase(): Promise<void>;
}

const PAGE = 500;

/** Every sealed text among `rows`. */
export async function* sealedTexts(rows: Table, vault: Vault): AsyncGenerator<SealedText> {
  for (const { collection, field, contextOf, called, outlives } of SEALED) {
    const prefix = `${collection}:`;
    let after = prefix;
    for (;;) {
      const page = await rows.list(
        { after, before: `${prefix}\u{10FFFF}`, limit: PAGE, backwards: false },
        Date.now(),
      );
      for (const { key, text } of page) {
        const row = readRow(text);
        const sealed = row?.value[field];
        if (!row || typeof sealed !== 'string') continue;
        const context = contextOf(key.slice(prefix.length));
        yield {
          called,
          key,
          state: sealedState(vault, { sealed, context }),
          reseal() {
            const again = resealed(vault, { sealed, context });
            const value = { ...row.value, [field]: again };
            return rows.replace(key, text, JSON.stringify({ ...row, value }));
          },
          async erase() {
            const { [field]: _, ...value } = row.value;
            if (outlives) await rows.replace(key, text, JSON.stringify({ ...row, value }));
            else await rows.delete([key]);
          },
        };
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last.key;
    }
  }
}

/** A row as Keyv writes it; undefined where it is damaged. */
function readRow(text: string): { value: Record<string, unknown> } | undefined {
  try {
    const row = JSON.parse(text);
    return typeof row?.value === 'object' && row.value !== null ? row : undefined;
  } catch {
    return undefined;
  }
}
