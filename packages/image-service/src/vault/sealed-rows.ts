import { resealed, type StoredSecret, sealedState, type Vault } from '@darkroom/storage';
import { sql } from 'kysely';
import { keyContext } from '../accounts/keys.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { makeSigningSecret } from '../webhooks/signature.ts';
import { signingSecretContext } from '../webhooks/signing-secrets.ts';
import { webhookContext } from '../webhooks/webhook-queue.ts';
import { PROOF_CONTEXT } from './database-proof.ts';

interface SealedColumn {
  table: keyof Tables;
  column: string;
  /** Tells its rows apart, and a value before that of every row. */
  id: string;
  before: string | 0;
  /** What an operator calls its rows. */
  called: string;
  contextOf(id: string | number): string;
  /** What stands in it once what was sealed there is lost; nothing unless given. */
  afterLoss?(vault: Vault, context: string): string | null;
}

const SIGNING = {
  table: 'webhookSecrets',
  id: 'accountId',
  before: 0,
  contextOf: (accountId) => signingSecretContext(Number(accountId)),
} as const satisfies Partial<SealedColumn>;

const COLUMNS: readonly SealedColumn[] = [
  {
    table: 'keys',
    column: 'sealed',
    id: 'hash',
    before: '',
    called: 'API keys',
    contextOf: (hash) => keyContext(String(hash)),
  },
  {
    ...SIGNING,
    column: 'sealed',
    called: 'webhook secrets',
    afterLoss: (vault, context) => vault.seal(makeSigningSecret(), context),
  },
  { ...SIGNING, column: 'previous', called: 'former webhook secrets' },
  {
    table: 'webhooks',
    column: 'sealedUrl',
    id: 'taskId',
    before: '',
    called: 'webhook addresses',
    contextOf: (taskId) => webhookContext(String(taskId)),
  },
  {
    table: 'installation',
    column: 'vaultProof',
    id: 'vaultProof',
    before: '',
    called: 'proof of the secret',
    contextOf: () => PROOF_CONTEXT,
    afterLoss: () => null,
  },
];

/** What the vault has sealed in one column of one row. It is not changed where it has changed since it was read. */
export interface SealedRow extends StoredSecret {
  /** What an operator calls such rows. */
  called: string;
  erase(): Promise<void>;
}

/** A text as the vault writes it: a column may hold several, in JSON. */
const SEALED = /\bv1\.[0-9a-f]{8}\.[\w-]+/g;

const PAGE = 500;

export async function* sealedRows(db: ServiceDatabase, vault: Vault): AsyncGenerator<SealedRow> {
  for (const { called, contextOf, afterLoss = () => '', ...where } of COLUMNS) {
    const [table, id, column] = [sql.table(where.table), sql.ref(where.id), sql.ref(where.column)];
    let after: string | number | undefined = where.before;
    while (after !== undefined) {
      const { rows } = await sql<{ id: string | number; text: string }>`
        select ${id} as "id", ${column} as "text" from ${table}
        where ${id} > ${after} and ${column} is not null order by ${id} limit ${sql.lit(PAGE)}`.execute(db);
      for (const row of rows) {
        const context = contextOf(row.id);
        const stateOf = (sealed: string) => sealedState(vault, { sealed, context });
        const write = async (text: string | null) => {
          const { numAffectedRows } = await sql`
            update ${table} set ${column} = ${text} where ${id} = ${row.id} and ${column} = ${row.text}`.execute(
            db,
          );
          return numAffectedRows === 1n;
        };
        const states = row.text.match(SEALED)?.map(stateOf) ?? [];
        if (states.length === 0) continue;
        yield {
          called,
          state: (['lost', 'stale'] as const).find((state) => states.includes(state)) ?? 'current',
          reseal: () => write(row.text.replace(SEALED, (sealed) => resealed(vault, { sealed, context }))),
          async erase() {
            const replaced = afterLoss(vault, context);
            const kept = row.text.replace(SEALED, (sealed) =>
              stateOf(sealed) === 'lost' ? (replaced ?? '') : sealed,
            );
            await write(kept === '' ? replaced : kept);
          },
        };
      }
      after = rows.length === PAGE ? rows.at(-1)?.id : undefined;
    }
  }
}
