import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REST, Routes } from 'discord.js';
import { commands } from '../../commands/index.ts';
import { createBot, EMBEDDED } from '../bot/bot.ts';
import { createImageClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { UserError } from '../errors.ts';
import { takeLease } from '../lease.ts';
import { createLocalDiscord, type LocalDiscord } from '../local-discord/local-discord.ts';
import type { Log } from '../log.ts';
import { createParts } from '../parts.ts';
import { configureService, type ServiceConfig } from '../service/configure.ts';
import { createService, type Service } from '../service/service.ts';
import { openStore } from '../store.ts';
import { openVault } from '../vault.ts';
import { type Accounts, openAccounts } from './accounts.ts';
import { introduce } from './introduction.ts';
import { BOT_ID, NEIGHBOURHOOD, RESIDENTS } from './neighbourhood.ts';
import { servePage } from './page-server.ts';
import { freePort } from './ports.ts';
import type { Bot, Person } from './wire.ts';

/** Nobody but this machine can reach the playground. */
const HOST = '127.0.0.1';
/** How long a sketch takes here, so that it is seen to develop. */
const PACE_MS = 12_000;
/** Where the page is built to, as seen from this file once it is compiled, or run from its source. */
const PAGE_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/playground/page' : './page', import.meta.url),
);

export interface PlaygroundOptions {
  config: ServiceConfig &
    Pick<
      Config,
      | 'PLAYGROUND_PORT'
      | 'SERVICE_PORT'
      | 'SECRET_KEY'
      | 'IMAGE_API_URL'
      | 'IMAGE_API_KEY'
      | 'GUILD_CALLS_PER_SECOND'
    >;
  clock: Clock;
  log: Log;
  /** Where everything is kept over a restart; `data/playground` unless given. */
  folder?: string;
  /** Milliseconds that the sketch engine takes for a picture; 12 s unless given. */
  paceMs?: number;
}

export interface Playground {
  /** Where the chat page is. */
  url: string;
  /** The image service that the bot uses. */
  serviceUrl: string;
  discord: LocalDiscord;
  stop(): Promise<void>;
}

/** Image service, local Discord and bot in one process, and a chat page to see them work. */
export async function createPlayground({
  config,
  clock,
  log,
  folder = join('data', 'playground'),
  paceMs = PACE_MS,
}: PlaygroundOptions): Promise<Playground> {
  const parts = createParts(log);
  try {
    parts.add(await own(folder));
    const vault = await openVault(config.SECRET_KEY, folder);
    let accounts: Accounts | undefined;
    let serviceUrl = config.IMAGE_API_URL;
    if (serviceUrl === undefined) {
      const service: Service = await createService({
        databaseUrl: `sqlite://${join(folder, 'service.sqlite')}`,
        filesFolder: join(folder, 'pictures'),
        vault,
        ...configureService(config, { clock, log, paceMs }),
      });
      parts.add(service.close);
      accounts = await openAccounts(service, RESIDENTS);
      const listening = await service.listen({ host: HOST, port: await freePort(HOST, config.SERVICE_PORT) });
      serviceUrl = listening.url;
    }

    const discord = createLocalDiscord({
      clock,
      log,
      world: NEIGHBOURHOOD,
      stateFolder: join(folder, 'discord'),
    });
    parts.add(discord.close);
    await servePage(discord.app, {
      as: discord.as,
      people,
      bots: () => bots(discord),
      account: async (personId) => (await accounts?.of(personId)) ?? null,
      folder: PAGE_FOLDER,
      log,
    });
    const { url, apiUrl } = await discord.listen({
      host: HOST,
      port: await freePort(HOST, config.PLAYGROUND_PORT),
    });

    const store = await openStore({ url: `sqlite://${join(folder, 'darkroom.sqlite')}`, log });
    parts.add(store.close);
    const images = createImageClient({ baseUrl: serviceUrl, clock });
    parts.add(images.close);
    const token = discord.token(BOT_ID);
    const bot = await createBot({
      token,
      apiUrl,
      commands,
      store,
      vault,
      images,
      service: config.IMAGE_API_URL ?? EMBEDDED,
      operatorKey: config.IMAGE_API_KEY,
      callsPerSecond: config.GUILD_CALLS_PER_SECOND,
      clock,
      log,
    });
    parts.add(bot.stop);
    await register(apiUrl, token);
    await bot.start();
    for (const { id } of RESIDENTS) discord.as(id).openDirectMessage(BOT_ID);
    for (const { id, linked } of accounts?.arrivals ?? []) {
      const apiKey = linked && (await accounts?.of(id))?.apiKey;
      if (apiKey) await introduce(discord.as(id), BOT_ID, apiKey);
    }
    return { url, serviceUrl, discord, stop: parts.close };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** Two playgrounds in one folder would write over each other. Resolves with how to leave it to another. */
async function own(folder: string): Promise<() => void> {
  const lease = await takeLease({ path: join(folder, 'playground') }).catch((cause: unknown) => {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(`Another playground is running in ${folder}. Stop it first.`, { cause });
  });
  return lease.release;
}

async function register(apiUrl: string, token: string): Promise<void> {
  const rest = new REST({ api: apiUrl, version: '10' }).setToken(token);
  await rest.put(Routes.applicationCommands(BOT_ID), { body: commands.map(({ data }) => data) });
}

const people = (): Person[] =>
  RESIDENTS.map(({ id, displayName, about }) => ({ id, name: displayName, about }));

const bots = ({ gateway }: LocalDiscord): Bot[] =>
  NEIGHBOURHOOD.applications.map(({ id, name }) => ({ id, name, online: gateway.isConnected(id) }));
