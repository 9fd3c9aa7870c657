import { resealStale } from '@darkroom/storage';
import type { Command } from 'commander';
import type { SealedRow } from '../vault/sealed-rows.ts';
import type { Confirm } from './confirm.ts';
import type { CommandResult, Row } from './table.ts';

/** What a command works on that looks after the secret itself. */
export interface VaultContext {
  sealedRows(): AsyncIterable<SealedRow>;
  confirm: Confirm;
}

/** Runs such a command, whatever the secret is. */
export type RunVault = (action: (context: VaultContext) => Promise<CommandResult>) => Promise<void>;

/** What is sealed in the database with `SECRET_KEY`. */
export function vaultCommands(vault: Command, run: RunVault): void {
  vault
    .command('check')
    .description('tells whether everything opens with the secret that is set; fails if something does not')
    .action(() =>
      run(async ({ sealedRows }) => {
        const rows = await count(sealedRows(), ({ state }) => state, ['current', 'stale', 'lost']);
        return rows.some(({ lost }) => lost !== 0) ? { wrong: rows } : rows;
      }),
    );
  vault
    .command('rotate')
    .description('seals everything anew with the first key of SECRET_KEY; the service may run, with the same')
    .action(() =>
      run(async ({ sealedRows }) => count(resealStale(sealedRows), () => 'sealed anew', ['sealed anew'])),
    );
  vault
    .command('reset')
    .description('erases what does not open, and takes the secret that is set for the database')
    .option('--yes', 'without asking', false)
    .action(({ yes }: { yes: boolean }) =>
      run(async ({ sealedRows, confirm }) => {
        if (!yes) await confirm('This erases for good what does not open. Type erase to confirm: ', 'erase');
        return count(eraseLost(sealedRows()), () => 'erased', ['erased']);
      }),
    );
}

async function* eraseLost(rows: AsyncIterable<SealedRow>): AsyncGenerator<SealedRow> {
  for await (const row of rows) {
    if (row.state !== 'lost') continue;
    await row.erase();
    yield row;
  }
}

/** How many rows there are of each kind, in `columns`. */
async function count<Column extends string>(
  rows: AsyncIterable<SealedRow>,
  columnOf: (row: SealedRow) => Column,
  columns: readonly Column[],
): Promise<Row[]> {
  const counts = new Map<string, Record<string, number>>();
  for await (const row of rows) {
    const counted = counts.get(row.called) ?? Object.fromEntries(columns.map((column) => [column, 0]));
    counted[columnOf(row)] = (counted[columnOf(row)] ?? 0) + 1;
    counts.set(row.called, counted);
  }
  return [...counts].map(([sealed, counted]) => ({ sealed, ...counted }));
}
