import {
  type Confirm,
  confirmOnTerminal,
  type Environment,
  OperatorError,
  ownCommand,
  silentLog,
} from '@darkroom/process';
import { runProgram, wholeNumber } from '@darkroom/process/program';
import { Option } from 'commander';
import { loadConfig } from '../config.ts';
import { LANGUAGES } from '../guilds/guild-settings.ts';
import { createInstallation, MOST_SHARDS } from '../shards/installation.ts';
import { openStore } from '../storage/store.ts';
import { isSqlite, nameOf, parseStoreUrl, type StoreUrl } from '../storage/store-url.ts';
import { onStore } from '../storage/unusable-store.ts';
import { backUp, copy, restore } from './copy-store.ts';
import { memberCommands } from './member-commands.ts';
import { privacyPolicy } from './privacy-policy.ts';

/**
 * Runs one command on the bot's store, and resolves with what it prints. Throws `OperatorError` where it cannot be
 * done.
 */
export async function runStoreCommand(
  args: readonly string[],
  env: Environment,
  confirm: Confirm = confirmOnTerminal,
): Promise<string> {
  const store = (): StoreUrl => loadConfig(env).STORE_URL;
  return runProgram(
    args,
    {
      name: ownCommand('store', ''),
      description: 'Looks after the store of the bot, where its jobs and linked keys are.',
    },
    (program, say) => {
      program
        .command('copy')
        .argument(
          '<from>',
          'sqlite://path/to/file.sqlite or postgres://user@host/database, with its password in PGPASSWORD or ~/.pgpass',
          parseStoreUrl,
        )
        .argument('<to>', 'likewise; an empty one', parseStoreUrl)
        .description('copies a store into an empty one, and compares every row; no bot may run on either')
        .action(async (from: StoreUrl, to: StoreUrl) => say(await copy(from, to)));
      program
        .command('backup')
        .argument('<file>')
        .description('writes the store of STORE_URL as it is now into a new SQLite file; the bot may run')
        .action(async (file: string) => say(await backUp(store(), file)));
      program
        .command('restore')
        .argument('<file>')
        .description(
          'copies a backup into the store of STORE_URL, which has to be empty; no bot may run on it',
        )
        .action(async (file: string) => say(await restore(file, store())));
      program
        .command('shards')
        .argument('<number>', `how many, from 1 to ${MOST_SHARDS}`, wholeNumber(1, MOST_SHARDS))
        .description(
          'changes how many shards the bot has; its processes on PostgreSQL change over while they run',
        )
        .action(async (shards: number) => say(await changeShards(store(), shards)));
      program
        .command('policy')
        .addOption(new Option('--language <language>', 'of the page').choices(LANGUAGES).default('en'))
        .description('prints what the bot keeps about its members, as the privacy policy that Discord wants')
        .action(({ language }: { language: string }) =>
          say(privacyPolicy(language, loadConfig(env).RETENTION_DAYS)),
        );
      const about = 'what the bot keeps about a member, for one who cannot use /privacy';
      memberCommands(program.command('member').description(about), { env, say, confirm });
    },
  );
}

/** Changes how many shards the processes on a store have, also while they run, and says what follows from it. */
async function changeShards(url: StoreUrl, shards: number): Promise<string> {
  if (isSqlite(url)) {
    throw new OperatorError(
      `One process serves every shard on ${nameOf(url)}: set SHARDS to ${shards} and start it again.`,
    );
  }
  const store = await openStore({ url, log: silentLog() });
  await onStore(url, () => createInstallation(store).change(shards)).finally(store.close);
  return (
    `The bot has ${shards} ${shards === 1 ? 'shard' : 'shards'} from now on. Processes that run change over within seconds, and go on with their jobs; ` +
    `none has to be started again. Where SHARDS is set to another number, set it to ${shards} or to auto before the next start.`
  );
}
