import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openService } from '@darkroom/image-service';
import { createCleanup, type Log, OperatorError } from '@darkroom/process';
import { openVault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { startDiscord } from 'local-discord';
import { commands } from '../../commands/index.ts';
import { openBot } from '../app/open-bot.ts';
import type { Config } from '../config.ts';
import { operatorRest } from '../operator/discord-rest.ts';
import { registerCommands } from '../operator/register-commands.ts';
import { en } from '../operator/words/en.ts';
import { acquireStoreLock, StoreInUse } from '../storage/store-lock.ts';
import { type DemoAccounts, openDemoAccounts } from './demo-accounts.ts';
import { BOT_ID, DEMO_PAGE, DEMO_USERS, DEMO_WORLD } from './demo-world.ts';
import { freePort } from './free-port.ts';

/** Loopback: only this machine can reach the playground. */
const HOST = '127.0.0.1';
/** How long the playground before this one may take to stop. */
const OTHER_STOPS_MS = 4_000;
/** Holds the address of the playground that runs. */
const ADDRESS_FILE = 'address.txt';
/** How long a sketch takes here, in milliseconds, so that it is seen to develop. */
const PACE_MS = 12_000;

interface PlaygroundOptions {
  config: Config;
  clock: Clock;
  log: Log;
  /** Where everything is stored between starts; `data/playground` unless given. */
  folder?: string;
  /** Milliseconds that the sketch engine takes for a picture; 12 s unless given. */
  paceMs?: number;
}

export type Playground = Awaited<ReturnType<typeof createPlayground>>;

/**
 * Image service, local Discord with its chat page, and bot in one process. Resolves with the address of the page, and
 * that of the image service.
 */
export async function createPlayground({
  config,
  clock,
  log,
  folder = join('data', 'playground'),
  paceMs = PACE_MS,
}: PlaygroundOptions) {
  const cleanup = createCleanup(log);
  try {
    cleanup.add(await lockFolder(folder));
    const vault = await openVault(config.SECRET_KEY, folder);

    let serviceUrl = config.IMAGE_API_URL;
    let accounts: DemoAccounts | undefined;
    if (serviceUrl === undefined) {
      const here = {
        ...config,
        SERVICE_DATABASE_URL: `sqlite://${join(folder, 'service.sqlite')}`,
        SERVICE_HOST: HOST,
        SERVICE_PORT: await freePort(HOST, config.SERVICE_PORT),
      };
      const { service, url } = await openService(here, { clock, log, paceMs });
      cleanup.add(service.close);
      accounts = await openDemoAccounts(service, DEMO_USERS);
      serviceUrl = url;
    }

    const discord = await startDiscord({
      clock,
      log,
      world: DEMO_WORLD,
      stateFolder: join(folder, 'discord'),
      page: { ...DEMO_PAGE, ...(accounts && { panel: accounts.panel }) },
      host: HOST,
      port: await freePort(HOST, config.PLAYGROUND_PORT),
    });
    cleanup.add(discord.close);
    const { url, apiUrl } = discord;
    cleanup.add(await writeAddress(folder, url));

    const token = discord.token(BOT_ID);
    const storage = { url: `sqlite://${join(folder, 'darkroom.sqlite')}`, vault, folder } as const;
    const bot = await openBot(
      { config, discord: { token, apiUrl }, storage, imageUrl: serviceUrl, clock, log },
      cleanup,
    );
    const rest = operatorRest(apiUrl, { retries: 3 }).setToken(token);
    await registerCommands(rest, commands, {
      applicationId: BOT_ID,
      guildId: undefined,
      words: en,
    });
    await bot.start();
    for (const { id } of DEMO_USERS) discord.as(id).openDirectMessage(BOT_ID);
    await accounts?.linkKeys(discord);
    return { url, serviceUrl, discord, stop: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Two playgrounds in one folder would overwrite each other's data. Resolves with how to unlock it. */
async function lockFolder(folder: string): Promise<() => void> {
  const options = { path: join(folder, 'playground'), waitMs: OTHER_STOPS_MS };
  const lock = await acquireStoreLock(options).catch(async (cause: unknown) => {
    if (!(cause instanceof StoreInUse)) throw cause;
    throw new OperatorError(await runningAlready(folder), { cause });
  });
  return lock.release;
}

/** Says in `folder` where the playground is, for whoever starts another one. Resolves with how to take it away. */
async function writeAddress(folder: string, url: string): Promise<() => Promise<void>> {
  const file = join(folder, ADDRESS_FILE);
  await writeFile(file, `${url}\n`);
  return () => rm(file, { force: true });
}

async function runningAlready(folder: string): Promise<string> {
  const url = await readFile(join(folder, ADDRESS_FILE), 'utf8').catch(() => '');
  return url.startsWith('http://')
    ? `A playground is already running: ${url.trim()}\nOpen it there, or stop it first (Ctrl-C where it runs).`
    : `Another playground is starting or stopping in ${folder}. Try again in a moment, or stop it first.`;
}
