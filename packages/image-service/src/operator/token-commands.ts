import { ownCommand } from '@darkroom/process';
import type { Command } from 'commander';
import { lastDay } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed, timestamp } from './table.ts';

/** Login tokens, which make keys. */
export function tokenCommands(token: Command, run: RunAction): void {
  const withEnd = (command: Command) =>
    command.option(
      '--until <day>',
      'the last day on which it counts, such as 2030-12-31, or never; 90 days unless given',
      lastDay,
    );
  withEnd(token.command('add <account>'))
    .description('prints a new login token, which is shown only once; earlier ones stay valid')
    .action((name: string, { until }: { until?: number | 'never' }) =>
      run(async ({ accounts, account }) => {
        const { id, username } = await account(name);
        return [{ id, account: username, 'login token': await accounts.issueLoginToken(id, endOf(until)) }];
      }),
    );
  withEnd(token.command('rotate <account>'))
    .description('prints a new login token in place of all earlier ones; keys stay valid')
    .action((name: string, { until }: { until?: number | 'never' }) =>
      run(async ({ accounts, account }) => {
        const { id, username } = await account(name);
        return [{ id, account: username, 'login token': await accounts.rotateLoginTokens(id, endOf(until)) }];
      }),
    );
  token
    .command('list <account>')
    .description('since when and until when the login tokens of an account count')
    .action((name: string) =>
      run(async ({ accounts, account }) => {
        const rows = await accounts.listLoginTokens((await account(name)).id);
        return listed(
          rows.map(({ createdAt, expiresAt }) => ({
            since: timestamp(createdAt),
            until: timestamp(expiresAt),
          })),
          `${name} has no login token. ${ownCommand('service', `token add ${name}`)} prints one.`,
        );
      }),
    );
  token
    .command('revoke <account>')
    .description('revokes every login token of an account; its keys stay valid')
    .action((name: string) =>
      run(async ({ accounts, account }) => {
        const { id, username } = await account(name);
        return [{ id, account: username, revoked: await accounts.revokeLoginTokens(id) }];
      }),
    );
}

/** As it is stored: null where it never ends. */
const endOf = (until: number | 'never' | undefined): number | null | undefined =>
  until === 'never' ? null : until;
