import type { Command } from 'commander';
import type { Run } from './books.ts';

/** The sum of everything. */
export function ledgerCommands(ledger: Command, run: Run): void {
  ledger
    .command('check')
    .description(
      'checks every grant and every task against the entries of the ledger; fails if one does not match',
    )
    .action(() =>
      run(async ({ check }) => {
        const violations = await check();
        if (violations.length === 0) return [{ ledger: 'every entry matches' }];
        return {
          wrong: violations.map(({ rule, subject }) => ({ 'broken rule': rule, 'grant or task': subject })),
        };
      }),
    );
}
