import { OperatorError, ownCommand } from '@darkroom/process';
import { MINUTE_MS } from '@darkroom/time';
import { type Command, Option } from 'commander';
import { toCredits } from '../ledger/credits.ts';
import { duration, endOfDay, grantId, onceId, positiveCredits } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed, textOf, timestamp } from './table.ts';

interface GrantOptions {
  until?: number;
  for?: number;
  note: string;
  once?: string;
}

export function grantCommands(grant: Command, run: RunAction): void {
  grant
    .command('add')
    .argument('<account>')
    .argument('<credits>', 'how many, with at most three decimals', positiveCredits)
    .description('gives credits, for good, until the end of a day (UTC) or for a time')
    .addOption(
      new Option('--until <day>', 'the last day on which they can be spent, such as 2030-12-31')
        .argParser(endOfDay)
        .conflicts('for'),
    )
    .option('--for <time>', 'how long they can be spent: 90m, 1h, 7d', duration)
    .option('--note <text>', 'what they are for', '')
    .option('--once <id>', 'gives them once, however often it is repeated with this id', onceId)
    .action((name: string, amount: number, { until, for: time, note, once }: GrantOptions) =>
      run(async ({ ledger, account, clock }) => {
        const { id, username } = await account(name);
        const expiresAt = time === undefined ? until : clock.now() + time;
        const given = await ledger.grant({ accountId: id, amount, expiresAt, note, once });
        if (!given && once !== undefined) {
          const earlier = await ledger.grantedOnce(id, once);
          const asked = {
            amount,
            expiresAt: time === undefined ? (until ?? null) : earlier.createdAt + time,
          };
          if (!isRepeated(earlier, asked, clock.now()))
            throw new OperatorError(
              `${username} was given ${described(earlier)} with the id ${once} on ${textOf(timestamp(earlier.createdAt))} (UTC), and not ${described(asked)}. Nothing was given: take another id, or repeat what was given.`,
            );
        }
        return [
          {
            account: username,
            given: given ? toCredits(amount) : 0,
            credits: toCredits(await ledger.balance(id)),
            until: given ? timestamp(expiresAt ?? null) : null,
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
          throw new OperatorError(
            `${name} has no grant ${id}. See: ${ownCommand('service', `grant list ${name}`)}`,
          );
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
      run(async ({ ledger, account }) => {
        const rows = await ledger.grants((await account(name)).id);
        return listed(
          rows.map((row) => ({
            id: row.id,
            left: toCredits(row.remaining),
            since: timestamp(row.createdAt),
            until: timestamp(row.expiresAt),
            note: row.note,
          })),
          `${name} was never given credits. ${ownCommand('service', `grant add ${name} 10`)} gives some.`,
        );
      }),
    );
}

interface Given {
  amount: number;
  expiresAt: number | null;
}

/** Whether the same is asked for again. What has ended may have been taken back: then its end says nothing. */
function isRepeated(earlier: Given, asked: Given, now: number): boolean {
  const hasEnded = earlier.expiresAt !== null && earlier.expiresAt <= now;
  // The end of a time is reckoned a moment before the grant is written.
  const endsAlike = Math.abs((earlier.expiresAt ?? 0) - (asked.expiresAt ?? 0)) < MINUTE_MS;
  return earlier.amount === asked.amount && (hasEnded || endsAlike);
}

function described({ amount, expiresAt }: Given): string {
  const credits = toCredits(amount);
  const end = expiresAt === null ? 'for good' : `until ${textOf(timestamp(expiresAt))}`;
  return `${credits} ${credits === 1 ? 'credit' : 'credits'} ${end}`;
}
