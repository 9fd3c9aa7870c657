import { OperatorError } from '@darkroom/process';
import type { Command } from 'commander';
import { toCredits } from '../ledger/ledger.ts';
import { endOfDay, grantId, positiveCredits } from './arguments.ts';
import type { RunAction } from './context.ts';
import { timestamp } from './table.ts';

/** Credits given. */
export function grantCommands(grant: Command, run: RunAction): void {
  grant
    .command('add')
    .argument('<account>')
    .argument('<credits>', 'how many, with at most three decimals', positiveCredits)
    .description('gives credits, for good or until the end of a day (UTC)')
    .option('--until <day>', 'the last day on which they can be spent, such as 2030-12-31', endOfDay)
    .option('--note <text>', 'what they are for', '')
    .action((name: string, amount: number, { until, note }: { until?: number; note: string }) =>
      run(async ({ ledger, account }) => {
        const { id, username } = await account(name);
        await ledger.grant({ accountId: id, amount, expiresAt: until, note });
        return [
          {
            account: username,
            credits: toCredits(await ledger.balance(id)),
            until: timestamp(until ?? null),
          },
        ];
      }),
    );
  grant
    .command('revoke')
    .argument('<account>')
    .argument('<grant>', 'its id, as grant list shows it', grantId)
    .description('takes back what is left of a grant; what was spent of it stays spent')
    .action((name: string, id: number) =>
      run(async ({ ledger, account }) => {
        const { id: accountId, username } = await account(name);
        const left = await ledger.revoke(accountId, id);
        if (left === undefined)
          throw new OperatorError(`${name} has no grant ${id}. See: grant list ${name}`);
        return [
          {
            account: username,
            grant: id,
            'taken back': toCredits(left),
            credits: toCredits(await ledger.balance(accountId)),
          },
        ];
      }),
    );
  grant
    .command('list <account>')
    .description('what an account was given and what is left of it')
    .action((name: string) =>
      run(async ({ ledger, account }) =>
        (await ledger.grants((await account(name)).id)).map((row) => ({
          id: row.id,
          left: toCredits(row.remaining),
          since: timestamp(row.createdAt),
          until: timestamp(row.expiresAt),
          note: row.note,
        })),
      ),
    );
}
