import { ownCommand } from '@darkroom/process';
import type { Command } from 'commander';
import { toCredits } from '../ledger/credits.ts';
import type { ListedEntry } from '../ledger/ledger.ts';
import { rowLimit } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed, timestamp } from './table.ts';

export function ledgerCommands(ledger: Command, run: RunAction): void {
  ledger
    .command('list <account>')
    .description('where the credits of an account came from and went to, newest first')
    .option('--task <id>', 'only what one task was charged')
    .option('--limit <number>', 'how many entries', rowLimit, 50)
    .action((name: string, { task, limit }: { task?: string; limit: number }) =>
      run(async ({ ledger, account }) => {
        const { id } = await account(name);
        const rows: readonly ListedEntry[] =
          task === undefined
            ? await ledger.entries(id, { limit })
            : await ledger.entriesOfTask(id, task, { limit });
        return listed(
          rows.map(({ after, ...entry }) => ({
            entry: entry.id,
            at: timestamp(entry.createdAt),
            kind: entry.kind,
            credits: toCredits(entry.amount),
            ...(after !== undefined && { after: toCredits(after) }),
            grant: entry.grantId,
            task: entry.taskId,
          })),
          task === undefined
            ? `${name} has neither got nor spent credits. ${ownCommand('service', `grant add ${name} 10`)} gives some.`
            : `${name} was charged nothing for a task ${task}. See: ${ownCommand('service', `task list ${name}`)}`,
        );
      }),
    );
  ledger
    .command('check')
    .description(
      'checks every grant and every task against the entries of the ledger; fails if one does not match',
    )
    .action(() =>
      run(async ({ checkLedger }) => {
        const violations = await checkLedger();
        if (violations.length === 0) return [{ ledger: 'every entry matches' }];
        return {
          rows: violations.map(({ rule, subject }) => ({ 'broken rule': rule, 'grant or task': subject })),
          said: 'What accounts can spend may be wrong: a mistake of ours, unless somebody else has written to the database.',
          isWrong: true,
        };
      }),
    );
}
