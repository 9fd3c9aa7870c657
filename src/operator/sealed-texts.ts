import { resealed, type StoredSecret, sealedState, type Vault } from '@darkroom/storage';
import { sealedPendingTokens } from '../bot/pending-tokens.ts';
import { sealedKeys } from '../credentials/linked-key.ts';
import { sealedJobSecrets } from '../jobs/job-store.ts';
import { beginningWith, pagesOf } from '../storage/pages.ts';
import { textOf, valueIn } from '../storage/row-text.ts';
import type { SealedField } from '../storage/sealed-field.ts';
import type { KeyRange, Table } from '../storage/table.ts';
import { vaultProof } from '../storage/vault-proof.ts';

interface Called {
  one: string;
  several: string;
}

interface Sealed extends SealedField {
  /** What an operator calls such a row, and several of them. */
  called: Called;
  /** It is worth something without what is sealed in it. */
  outlives?: true;
}

const SEALED: readonly Sealed[] = [
  { ...sealedKeys, called: { one: 'linked key', several: 'linked keys' } },
  { ...sealedJobSecrets, called: { one: 'job', several: 'jobs' }, outlives: true },
  { ...sealedPendingTokens, called: { one: 'answer under way', several: 'answers under way' } },
  { ...vaultProof, called: { one: 'proof of the secret', several: 'proofs of the secret' } },
];

export interface SealedText extends StoredSecret {
  called: Called;
  key: string;
  /** Erases the row, or the secret in it where it outlives that; not where it has changed since it was read. */
  erase(): Promise<void>;
}

const PAGE = 500;

export async function* sealedTexts(rows: Table, vault: Vault): AsyncGenerator<SealedText> {
  for (const { collection, field, contextOf, called, outlives } of SEALED) {
    const prefix = `${collection}:`;
    const list = (range: KeyRange) => rows.list(range, Date.now());
    for await (const page of pagesOf(list, { ...beginningWith(prefix), limit: PAGE })) {
      for (const { key, text, expires } of page) {
        const value = valueIn(text);
        const sealed = isRecord(value) ? value[field] : undefined;
        if (!isRecord(value) || typeof sealed !== 'string') continue;
        const context = contextOf(key.slice(prefix.length));
        const replace = (changed: object) => rows.replace(key, text, textOf(changed, expires));
        yield {
          called,
          key,
          state: sealedState(vault, { sealed, context }),
          reseal: () => replace({ ...value, [field]: resealed(vault, { sealed, context }) }),
          async erase() {
            const { [field]: _, ...rest } = value;
            if (outlives) await replace(rest);
            else await rows.delete([key]);
          },
        };
      }
    }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
