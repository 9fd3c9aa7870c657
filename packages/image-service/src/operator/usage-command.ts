import type { Command } from 'commander';
import type { Expense } from '../engines/engine.ts';
import { toCredits } from '../ledger/credits.ts';
import { dateOf, dayOf } from '../ledger/days.ts';
import { dayCount } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed } from './table.ts';

const COLUMNS: Readonly<Record<Expense['unit'], string>> = {
  money: 'cost',
  tokens: 'tokens',
  credits: "provider's credits",
  kudos: 'kudos',
};

/** What was drawn, by day, and what that cost the operator, of all accounts together. */
export function usageCommand(program: Command, run: RunAction): void {
  program
    .command('usage')
    .argument('[account]', 'of this account; of all together unless given')
    .description('what was drawn and spent on each day (UTC), and of all together what engines cost')
    .option('--days <number>', 'how many days, today included', dayCount, 30)
    .action((name: string | undefined, { days }: { days: number }) =>
      run(async ({ ledger, expenses, account, clock }) => {
        const accountId = name === undefined ? undefined : (await account(name)).id;
        const to = dayOf(clock.now());
        const range = { from: to - days + 1, to };
        const found = await ledger.usage({ accountId, ...range });
        const costs = name === undefined ? await expenses.byDay(range) : [];
        const units = Object.entries(COLUMNS).filter(([unit]) => costs.some((cost) => cost.unit === unit));
        const dates = new Set([...found.map(({ day }) => dateOf(day)), ...costs.map(({ day }) => day)]);
        const rows = [...dates].sort().map((date) => {
          const { completed = 0, failed = 0, cost = 0 } = found.find(({ day }) => dateOf(day) === date) ?? {};
          const ofEngines = units.map(([unit, column]) => [
            column,
            costs.find((each) => each.unit === unit && each.day === date)?.amount ?? 0,
          ]);
          return { day: date, completed, failed, credits: toCredits(cost), ...Object.fromEntries(ofEngines) };
        });
        const since = dateOf(range.from);
        return listed(rows, `Nothing was drawn or spent since ${since} (UTC). --days goes further back.`);
      }),
    );
}
