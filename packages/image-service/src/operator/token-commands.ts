import type { Command } from 'commander';
import type { RunAction } from './context.ts';

/** Login tokens, which make keys. */
export function tokenCommands(token: Command, run: RunAction): void {
  token
    .command('add <account>')
    .description('prints a new login token, which is shown only once; earlier ones stay valid')
    .action((name: string) =>
      run(async ({ accounts, account }) => {
        const { id, username } = await account(name);
        return [{ id, account: username, 'login token': await accounts.issueLoginToken(id) }];
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
