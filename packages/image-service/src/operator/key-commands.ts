import { OperatorError, ownCommand } from '@darkroom/process';
import type { Command } from 'commander';
import type { KeyLimits } from '../accounts/key-holders.ts';
import type { Keys } from '../accounts/keys.ts';
import { masked } from '../accounts/secrets.ts';
import { keyTail, type Limit, limit } from './arguments.ts';
import type { RunAction } from './context.ts';
import { listed, type Row, timestamp } from './table.ts';

/** API keys, named by their last four characters: nobody reads them whole here. */
export function keyCommands(key: Command, run: RunAction): void {
  key
    .command('list <account>')
    .description('the keys of an account by their last four characters')
    .action((name: string) =>
      run(async ({ keys, account }) => {
        const rows = await keys.list((await account(name)).id);
        return listed(rows.map(rowOf), noKeys(name));
      }),
    );
  key
    .command('limit')
    .argument('<account>')
    .argument('<tail>', 'its last four characters', keyTail)
    .description('gives a key limits of its own')
    .option('--running <number>', "tasks drawn at once, or none to share the account's limit", limit)
    .option('--waiting <number>', 'tasks waiting, or none likewise', limit)
    .option('--per-minute <number>', 'submissions a minute, or none likewise', limit)
    .action(
      (name: string, tail: string, { running, waiting, perMinute }: Record<string, Limit | undefined>) =>
        run(async ({ keys, account }) => {
          const { id } = await account(name);
          const limits = {
            ...own('maxRunning', running),
            ...own('maxWaiting', waiting),
            ...own('maxPerMinute', perMinute),
          };
          if (Object.keys(limits).length === 0)
            throw new OperatorError('Give --running, --waiting or --per-minute.');
          if ((await keys.limit(id, tail, limits)) === 0) throw noSuchKey(name, tail);
          const active = (await keys.list(id)).filter(({ revokedAt }) => revokedAt === null);
          return listed(active.filter((row) => row.tail === tail).map(rowOf), noKeys(name));
        }),
    );
  key
    .command('revoke')
    .argument('<account>')
    .argument('[tail]', 'its last four characters', keyTail)
    .description('revokes one key, or all of them')
    .action((name: string, tail?: string) =>
      run(async ({ keys, account }) => {
        const { id, username } = await account(name);
        const revoked = await keys.revokeByTail(id, tail);
        if (tail !== undefined && revoked === 0) throw noSuchKey(name, tail);
        return [{ account: username, revoked }];
      }),
    );
}

const rowOf = (row: Awaited<ReturnType<Keys['list']>>[number]): Row => ({
  key: masked(row.tail),
  since: timestamp(row.createdAt),
  'last used': timestamp(row.lastUsedAt),
  revoked: timestamp(row.revokedAt),
  running: row.maxRunning,
  waiting: row.maxWaiting,
  'per minute': row.maxPerMinute,
});

const noKeys = (name: string): string =>
  `${name} has made no key yet. Keys are made with a login token, on Discord by /apikey generate: ${ownCommand('service', `token add ${name}`)} prints one.`;

const noSuchKey = (name: string, tail: string): OperatorError =>
  new OperatorError(`${name} has no active key that ends in ${tail}.`);

/** A limit as it is stored, where one was given: null shares the account's. */
const own = (name: keyof KeyLimits, given: Limit | undefined): Partial<KeyLimits> =>
  given === undefined ? {} : { [name]: given === 'none' ? null : given };
