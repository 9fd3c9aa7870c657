import type { Command } from 'commander';
import type { RunAction } from './context.ts';

/** Checks of the ledger. */
export function ledgerCommands(ledger: Command, run: RunAction): void {
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
          wrong: violations.map(({ rule, subject }) => ({ 'broken rule': rule, 'grant or task': subject })),
        };
      }),
    );
}
