import type { Command } from 'commander';
import { rowLimit } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed } from './table.ts';

export function webhookCommands(webhook: Command, run: RunAction): void {
  webhook
    .command('list <account>')
    .description('what became of the webhooks of the latest tasks of an account, newest first')
    .option('--limit <number>', 'how many', rowLimit, 20)
    .action((name: string, { limit }: { limit: number }) =>
      run(async ({ webhooksOf, account }) => {
        const found = await webhooksOf((await account(name)).id, limit);
        const rows = found.map(({ taskId, state, attempts, next_attempt_at, reason }) => {
          const last = attempts.at(-1);
          return {
            task: taskId,
            state,
            attempts: attempts.length,
            last: last ? new Date(last.at) : null,
            answer: last?.error ?? last?.status ?? null,
            next: next_attempt_at ? new Date(next_attempt_at) : null,
            reason: reason ?? null,
          };
        });
        return listed(rows, `${name} has submitted no task with a webhook.`);
      }),
    );
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
