import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Confirm,
  confirmOnTerminal,
  type Environment,
  OperatorError,
  ownCommand,
  silentLog,
  whileOpen,
} from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { keyFileIn, openVault, resealStale, type Vault } from '@darkroom/storage';
import { loadConfig } from '../config.ts';
import { openDatabase } from '../storage/open-database.ts';
import { folderOf, nameOf, type StoreUrl } from '../storage/store-url.ts';
import type { Database } from '../storage/table.ts';
import { onStore } from '../storage/unusable-store.ts';
import { sealedStore } from '../storage/vault-proof.ts';
import { refuseMissing } from './copy-store.ts';
import { holdStore, type StillHeld } from './hold-store.ts';
import { type SealedText, sealedTexts } from './sealed-texts.ts';

/**
 * Runs one command on what is sealed in the bot's store, and resolves with what it prints. Throws `OperatorError`
 * where it cannot be done.
 */
export async function runVaultCommand(
  args: readonly string[],
  env: Environment,
  confirm: Confirm = confirmOnTerminal,
): Promise<string> {
  const on = async (
    work: (sealed: OpenedStore) => Promise<string>,
    { takesNewSecret = false } = {},
  ): Promise<string> => {
    const { STORE_URL: url, SECRET_KEY: keys } = loadConfig(env);
    refuseMissing(url);
    const folder = folderOf(url);
    const vault = await openVault(keys, folder, takesNewSecret ? undefined : sealedStore(url));
    const opened = await openDatabase(url, { log: silentLog() });
    return onStore(url, () => whileOpen(opened, (database) => work({ url, vault, database })));
  };
  return runProgram(
    args,
    {
      name: ownCommand('vault', ''),
      description:
        'Looks after what is sealed in the store of the bot: linked keys, and the secrets of jobs.',
    },
    (program, say) => {
      program
        .command('check')
        .description('tells whether everything opens with the secret that is set; the bot may run')
        .action(async () => say(await on(check)));
      program
        .command('rotate')
        .description('seals everything anew with the first key of SECRET_KEY; the bot may run, with the same')
        .action(async () => say(await on(rotate)));
      program
        .command('reset')
        .description(
          'erases what does not open, and takes the secret that is set for the store; no bot may run',
        )
        .option('--yes', 'without asking', false)
        .action(async ({ yes }: { yes: boolean }) => {
          const { STORE_URL: url, SECRET_KEY: keys } = loadConfig(env);
          // Its lock would make the folder.
          refuseMissing(url);
          async function erase(stillHeld: StillHeld): Promise<string> {
            let permit = yes ? async () => undefined : confirm;
            const file = resolve(keyFileIn(folderOf(url)));
            if (keys === undefined && !existsSync(file)) {
              const question = `${file} is missing. This makes a new one, and erases for good what the old one had sealed. Type erase to confirm: `;
              await permit(question, 'erase');
              permit = async () => undefined;
            }
            return on((opened) => reset(opened, permit, stillHeld), { takesNewSecret: true });
          }
          say(await holdStore(url, erase));
        });
    },
  );
}

interface OpenedStore {
  url: StoreUrl;
  vault: Vault;
  database: Database;
}

async function check({ url, vault, database }: OpenedStore): Promise<string> {
  const found: SealedText[] = [];
  for await (const text of sealedTexts(database.rows, vault)) found.push(text);
  const lost = found.filter(({ state }) => state === 'lost');
  if (lost.length > 0) {
    throw new OperatorError(
      `In ${nameOf(url)} these do not open with this secret: ${lost.map(({ key }) => key).join(', ')}. ` +
        `Put the one that sealed them behind it in SECRET_KEY, after a comma. If it is lost, ${ownCommand('vault', 'reset')} erases them.`,
    );
  }
  const stale = found.filter(({ state }) => state === 'stale');
  const advice = stale.length > 0 ? ` ${ownCommand('vault', 'rotate')} seals ${counted(stale)} anew.` : '';
  return `In ${nameOf(url)} everything opens: ${counted(found)}.${advice}`;
}

async function rotate({ url, vault, database }: OpenedStore): Promise<string> {
  const resealed: SealedText[] = [];
  for await (const text of resealStale(() => sealedTexts(database.rows, vault))) resealed.push(text);
  await database.wipeDeleted();
  if (resealed.length === 0)
    return `Nothing had to be sealed anew in ${nameOf(url)}: whatever opens is sealed with the first key of SECRET_KEY.`;
  return (
    `Sealed anew in ${nameOf(url)}: ${counted(resealed)}. Once every process of the bot has been started with this SECRET_KEY, and ` +
    `${ownCommand('vault', 'check')} finds that all is well, the other keys can go. Backups open with those that they were made with.`
  );
}

/** Without a proof of another secret, the next start takes the one that is set. */
async function reset(
  { url, vault, database }: OpenedStore,
  confirm: Confirm,
  stillHeld: StillHeld,
): Promise<string> {
  const lost: SealedText[] = [];
  for await (const text of sealedTexts(database.rows, vault)) if (text.state === 'lost') lost.push(text);
  if (lost.length > 0)
    await confirm(
      `This erases for good what does not open: ${counted(lost)}. Type erase to confirm: `,
      'erase',
    );
  for (const { erase } of lost) {
    await stillHeld();
    await erase();
  }
  await database.wipeDeleted();
  if (lost.length === 0) return `Everything in ${nameOf(url)} opens: nothing was erased.`;
  return `Erased in ${nameOf(url)} what nobody can open any more: ${counted(lost)}.`;
}

/** `2 linked keys, 1 job` */
function counted(texts: readonly SealedText[]): string {
  const counts = new Map<SealedText['called'], number>();
  for (const { called } of texts) counts.set(called, (counts.get(called) ?? 0) + 1);
  return (
    [...counts].map(([{ one, several }, count]) => `${count} ${count === 1 ? one : several}`).join(', ') ||
    'nothing'
  );
}
