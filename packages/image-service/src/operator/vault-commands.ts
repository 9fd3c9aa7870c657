import { type Confirm, ownCommand } from '@darkroom/process';
import { resealStale } from '@darkroom/storage';
import type { Command } from 'commander';
import type { SealedRow } from '../vault/sealed-rows.ts';
import { type CommandResult, listed, type Row } from './table.ts';

/** What a command works on that looks after the secret itself. */
export interface VaultContext {
  sealedRows(): AsyncIterable<SealedRow>;
}

/** Runs such a command, whatever the secret is; where it is missing, only what `takesNewSecret`. */
type RunVault = (
  action: (context: VaultContext) => Promise<CommandResult>,
  options?: { takesNewSecret: boolean },
) => Promise<void>;

const WELL = 'Everything opens, and is sealed with the first key of SECRET_KEY.';
const NOTHING_STALE =
  'Nothing had to be sealed anew: whatever opens is sealed with the first key of SECRET_KEY.';
const NOTHING_LOST = 'Everything opens: nothing was erased.';
const stale = () =>
  `What is stale opens, with an older key: ${ownCommand('service', 'vault rotate')} seals it anew.`;
const lost = () =>
  'What is lost does not open with this secret. Put the one that sealed it behind it in SECRET_KEY, after a comma. ' +
  `If it is lost for good, ${ownCommand('service', 'vault reset')} erases it.`;
const rotated = () =>
  `Once every process of the service has been started with this SECRET_KEY, and ${ownCommand('service', 'vault check')} finds ` +
  'nothing stale, the other keys can go. Backups open with those that they were made with.';

/** What is sealed in the database with `SECRET_KEY`. */
export function vaultCommands(vault: Command, run: RunVault, confirm: Confirm): void {
  vault
    .command('check')
    .description('tells whether everything opens with the secret that is set; fails if something does not')
    .action(() =>
      run(async ({ sealedRows }) => {
        const rows = await count(sealedRows(), ({ state }) => state, ['current', 'stale', 'lost']);
        const isWrong = rows.some((row) => row.lost !== 0);
        return {
          rows,
          said: isWrong ? lost() : rows.some((row) => row.stale !== 0) ? stale() : WELL,
          isWrong,
        };
      }),
    );
  vault
    .command('rotate')
    .description('seals everything anew with the first key of SECRET_KEY; the service may run, with the same')
    .action(() =>
      run(async ({ sealedRows }) => {
        const rows = await count(resealStale(sealedRows), () => 'sealed anew', ['sealed anew']);
        return { rows, said: rows.length === 0 ? NOTHING_STALE : rotated() };
      }),
    );
  vault
    .command('reset')
    .description('erases what does not open, and takes the secret that is set for the database')
    .option('--yes', 'without asking', false)
    .action(async ({ yes }: { yes: boolean }) => {
      // Before a new secret is made: there is none yet where nothing is to be erased.
      if (!yes) await confirm('This erases for good what does not open. Type erase to confirm: ', 'erase');
      await run(
        async ({ sealedRows }) => {
          const rows = await count(eraseLost(sealedRows()), () => 'erased', ['erased']);
          return listed(rows, NOTHING_LOST);
        },
        { takesNewSecret: true },
      );
    });
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
