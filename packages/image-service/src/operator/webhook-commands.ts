import type { Command } from 'commander';
import type { RunAction } from './context.ts';

/** The secrets that webhooks are signed with. */
export function webhookCommands(webhook: Command, run: RunAction): void {
  webhook
    .command('secret <account>')
    .description('prints the secret that the webhooks of an account are signed with')
    .option('--rotate', 'makes a new one first; the one before signs as well for a day', false)
    .action((name: string, { rotate }: { rotate: boolean }) =>
      run(async ({ signingSecrets, account }) => {
        const { id, username } = await account(name);
        const secret = await (rotate ? signingSecrets.rotate(id) : signingSecrets.current(id));
        return [{ account: username, 'webhook secret': secret }];
      }),
    );
}
