import { OperatorError, ownCommand } from '@darkroom/process';
import { type Command, Option } from 'commander';
import { toCredits } from '../ledger/credits.ts';
import { PERIODS_MS, type Period } from '../ledger/periods.ts';
import { allowanceId, positiveCredits } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed, timestamp } from './table.ts';

export function allowanceCommands(allowance: Command, run: RunAction): void {
  allowance
    .command('add')
    .argument('<account>')
    .argument('<credits>', 'how many for each period', positiveCredits)
    .description(
      'gives credits now and again with every hour or day (UTC), while less than a cap is left of them',
    )
    .addOption(new Option('--every <period>', 'when').choices(Object.keys(PERIODS_MS)).default('day'))
    .option(
      '--up-to <credits>',
      'the most that may be left of them; as many as for one period unless given',
      positiveCredits,
    )
    .option('--note <text>', 'what they are for', '')
    .action(
      (
        name: string,
        amount: number,
        { every, upTo: cap = amount, note }: { every: Period; upTo?: number; note: string },
      ) =>
        run(async ({ allowances, ledger, account }) => {
          if (cap < amount)
            throw new OperatorError('--up-to must be at least as many credits as one period gives.');
          const { id: accountId, username } = await account(name);
          const id = await allowances.add({ accountId, amount, cap, every, note });
          return [{ account: username, allowance: id, credits: toCredits(await ledger.balance(accountId)) }];
        }),
    );
  allowance
    .command('list <account>')
    .description('the allowances of an account')
    .action((name: string) =>
      run(async ({ allowances, account }) => {
        const rows = await allowances.list((await account(name)).id);
        return listed(
          rows.map(({ id, amount, cap, periodMs, note, createdAt }) => ({
            id,
            credits: toCredits(amount),
            every: periodMs === PERIODS_MS.hour ? 'hour' : 'day',
            'up to': toCredits(cap),
            since: timestamp(createdAt),
            note,
          })),
          `${name} has no allowance. ${ownCommand('service', `allowance add ${name} 10 --every day`)} gives one.`,
        );
      }),
    );
  allowance
    .command('end')
    .argument('<account>')
    .argument('<allowance>', 'its id, as allowance list shows it', allowanceId)
    .description('ends an allowance; what it gave stays')
    .action((name: string, id: number) =>
      run(async ({ allowances, account }) => {
        const { id: accountId, username } = await account(name);
        if (!(await allowances.end(accountId, id)))
          throw new OperatorError(
            `${name} has no allowance ${id}. See: ${ownCommand('service', `allowance list ${name}`)}`,
          );
        return [{ account: username, ended: id }];
      }),
    );
}
