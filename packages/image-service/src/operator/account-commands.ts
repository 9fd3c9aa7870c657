import { ownCommand } from '@darkroom/process';
import type { Command } from 'commander';
import { toCredits } from '../ledger/credits.ts';
import { accountName, credits } from './arguments.ts';
import type { RunAction } from './context.ts';
import { deleted, listed, type Row, timestamp } from './table.ts';

export function accountCommands(account: Command, run: RunAction): void {
  account
    .command('add')
    .argument('<name>', 'what to call it', accountName)
    .description('makes an account and prints its login token, which is shown only once')
    .option('--credits <number>', 'permanent credits to start with', credits, 0)
    .option('--create', 'makes the database first, where there is none', false)
    .action((name: string, { credits: amount, create }: { credits: number; create: boolean }) =>
      run(
        async ({ accounts, database }) => {
          const start = amount > 0 ? { amount, note: 'to start with' } : undefined;
          const { id, username } = await accounts.add(name, start);
          const loginToken = await accounts.issueLoginToken(id);
          return [
            {
              id,
              account: username,
              credits: toCredits(amount),
              'login token': loginToken,
              'valid in': database,
            },
          ];
        },
        { creates: create },
      ),
    );
  account
    .command('list')
    .description('every account with its credits')
    .action(() =>
      run(async ({ accounts, ledger }) => {
        const rows: Row[] = [];
        for (const { id, username, createdAt, lastTaskAt, disabledAt } of await accounts.list()) {
          rows.push({
            id,
            account: username,
            credits: toCredits(await ledger.balance(id)),
            since: timestamp(createdAt),
            'last task': timestamp(lastTaskAt),
            disabled: timestamp(disabledAt),
          });
        }
        return listed(
          rows,
          `There are no accounts yet. ${ownCommand('service', 'account add NAME --credits 100')} makes one.`,
        );
      }),
    );
  account
    .command('delete <name>')
    .description('deletes an account and everything of it: keys, tasks, pictures, its part of the ledger')
    .option('--force', 'also where tasks wait or are being drawn: they are cancelled', false)
    .option('--yes', 'without asking for the name again', false)
    .action((name: string, { force, yes }: { force: boolean; yes: boolean }) =>
      run(async ({ deleteAccount, account, confirm }) => {
        const found = await account(name);
        if (!yes) await confirm(`This deletes ${name} for good. Type its name to confirm: `, name);
        const { tasks, pictures, isWiped } = await deleteAccount(found, { force });
        const row = { id: found.id, account: name, 'deleted tasks': tasks, 'deleted pictures': pictures };
        return deleted(row, isWiped);
      }),
    );
  for (const [verb, disabled, description] of [
    ['disable', true, 'locks an account out, with all its keys; what it has waiting is not drawn'],
    ['enable', false, 'lets an account in again'],
  ] as const) {
    account
      .command(`${verb} <name>`)
      .description(description)
      .action((name: string) =>
        run(async ({ accounts, account }) => {
          const { id, username } = await account(name);
          await accounts.setDisabled(id, disabled);
          return [{ id, account: username, disabled: disabled ? 'yes' : 'no' }];
        }),
      );
  }
}
