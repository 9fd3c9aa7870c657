import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
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
        const list = violations.map(({ rule, subject }) => `  ${subject}: ${rule}`).join('\n');
        throw new UserError(`The ledger does not add up. These grants and tasks break these rules:\n${list}`);
      }),
    );
}
