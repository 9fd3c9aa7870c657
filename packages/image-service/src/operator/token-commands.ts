import { ownCommand } from '@darkroom/process';
import type { Command } from 'commander';
import { lastDay } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed, timestamp } from './table.ts';

export function tokenCommands(token: Command, run: RunAction): void {
  for (const [verb, issue, description] of [
    ['add', 'issueLoginToken', 'prints a new login token, which is shown only once; earlier ones stay valid'],
    ['rotate', 'rotateLoginTokens', 'prints a new login token in place of all earlier ones; keys stay valid'],
  ] as const) {
    token
      .command(`${verb} <account>`)
      .option(
        '--until <day>',
        'the last day on which it counts, such as 2030-12-31, or never; 90 days unless given',
        lastDay,
      )
      .description(description)
      .action((name: string, { until }: { until?: number | 'never' }) =>
        run(async ({ accounts, account }) => {
          const { id, username } = await account(name);
          const loginToken = await accounts[issue](id, until === 'never' ? null : until);
          return [{ id, account: username, 'login token': loginToken }];
        }),
      );
  }
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
