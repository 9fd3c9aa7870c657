import { type Confirm, type Environment, silentLog } from '@darkroom/process';
import { openVault } from '@darkroom/storage';
import { systemClock, withTimeout } from '@darkroom/time';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import { noMetrics } from '../observability/metrics.ts';
import { createPrivacy, type Privacy } from '../privacy/privacy.ts';
import { openStore } from '../storage/store.ts';
import { folderOf, nameOf } from '../storage/store-url.ts';
import { onStore } from '../storage/unusable-store.ts';
import { sealedStore } from '../storage/vault-proof.ts';
import { refuseMissing } from './copy-store.ts';

/** Whoever reads the file for longer is a backup, and reads for minutes. */
const PATIENCE_MS = 3_000;
const NOT_WIPED =
  'Something reads the store, such as a backup: what was erased stands in its log. Run this again once that has ended.';

/** `/privacy` for somebody who cannot use it: their account is gone, or Discord asks in their place. */
export function memberCommands(
  member: Command,
  { env, say, confirm }: { env: Environment; say: (text: string) => void; confirm: Confirm },
): void {
  member
    .command('export')
    .argument('<id>', 'the ID of the member at Discord', parseMember)
    .description('prints all that the bot keeps about a member, as JSON, without secrets; the bot may run')
    .action(async (id: string) =>
      say(await onPrivacy(env, async ({ exportMember }) => JSON.stringify(await exportMember(id), null, 2))),
    );
  member
    .command('erase')
    .argument('<id>', 'the ID of the member at Discord', parseMember)
    .option('--yes', 'without asking', false)
    .description('erases all that the bot keeps about a member; the bot may run')
    .action(async (id: string, { yes }: { yes: boolean }) => {
      if (!yes)
        await confirm(`This erases for good what is kept about ${id}. Type erase to confirm: `, 'erase');
      say(await onPrivacy(env, (privacy, store) => erase(id, privacy, store)));
    });
}

async function erase(id: string, { exportMember, eraseMember }: Privacy, store: string): Promise<string> {
  const isKnown = Object.values(await exportMember(id)).some((part) => !isNothing(part));
  const { running, wiped } = await eraseMember(id);
  const isWiped = await withTimeout(PATIENCE_MS, () => wiped).catch(() => false);
  const rest = `${running} ${running === 1 ? 'request is' : 'requests are'}`;
  const advice =
    running === 0
      ? 'It stays in backups until these are thrown away.'
      : `${rest} under way: run this again once that is over.`;
  const said = isKnown
    ? `Erased in ${store} what is kept about ${id}. ${advice}`
    : `Nothing is kept about ${id} in ${store}. Look at the ID, unless it was erased before.`;
  return `${said}${isWiped ? '' : `\n${NOT_WIPED}`}`;
}

const isNothing = (part: unknown): boolean => part === null || (Array.isArray(part) && part.length === 0);

/**
 * What the bot does beside it needs no lock: a picture that is on its way to its member at this moment is counted as
 * under way, or writes its end once more, which expires like any other.
 */
async function onPrivacy(
  env: Environment,
  work: (privacy: Privacy, store: string) => Promise<string>,
): Promise<string> {
  const {
    STORE_URL: url,
    SECRET_KEY: keys,
    RETENTION_DAYS,
    DISCORD_TOKEN = '',
    DISCORD_API_URL,
  } = loadConfig(env);
  refuseMissing(url);
  // Loaded late: with discord.js, which no other command of the store needs.
  const { openDiscord } = await import('../app/discord-access.ts');
  const { createRecords } = await import('../app/records.ts');
  const log = silentLog();
  const vault = await openVault(keys, folderOf(url), sealedStore(url));
  const store = await openStore({ url, log });
  const discord = openDiscord({
    apiUrl: DISCORD_API_URL,
    token: DISCORD_TOKEN,
    afterAnother: false,
    log,
    metrics: noMetrics,
  });
  const operator = { retentionDays: RETENTION_DAYS };
  const records = createRecords({ store, vault, operator, discord, clock: systemClock, log });
  try {
    const privacy = createPrivacy({ ...records, eraseIdle: records.jobs.erase });
    return await onStore(url, () => work(privacy, nameOf(url)));
  } finally {
    await records.stop();
    discord.close();
    await store.close();
  }
}

function parseMember(text: string): string {
  if (/^\d{17,20}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Expected the digits of an ID: in Discord, Developer Mode and then Copy User ID.',
  );
}
