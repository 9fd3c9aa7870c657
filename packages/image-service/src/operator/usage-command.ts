import type { Command } from 'commander';
import { toCredits } from '../ledger/ledger.ts';
import { dateOf, dayOf } from '../ledger/usage.ts';
import { dayCount } from './arguments.ts';
import type { RunAction } from './context.ts';

/** What was drawn, by day. */
export function usageCommand(program: Command, run: RunAction): void {
  program
    .command('usage')
    .argument('[account]', 'of this account; of all together unless given')
    .description('what was drawn and spent on each day (UTC)')
    .option('--days <number>', 'how many days, today included', dayCount, 30)
    .action((name: string | undefined, { days }: { days: number }) =>
      run(async ({ usageOf, account, clock }) => {
        const accountId = name === undefined ? undefined : (await account(name)).id;
        const to = dayOf(clock.now());
        const found = await usageOf({ accountId, from: to - days + 1, to });
        return found.map(({ day, completed, failed, cost }) => ({
          day: dateOf(day),
          completed,
          failed,
          credits: toCredits(cost),
        }));
      }),
    );
}
