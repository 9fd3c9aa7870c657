import { createImageClient } from '@darkroom/image-api';
import type { Cleanup, Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { commands } from '../commands/index.ts';
import { type Bot, createBot, EMBEDDED } from './bot/bot.ts';
import type { Config } from './config.ts';
import { openStore } from './storage/store.ts';
import type { StoreUrl } from './storage/store-url.ts';

export interface BotEnvironment {
  config: Pick<Config, 'IMAGE_API_URL' | 'IMAGE_API_KEY' | 'GUILD_CALLS_PER_SECOND'>;
  /** Of the bot at Discord. */
  token: string;
  /** Discord's REST address without a version. */
  apiUrl: string;
  storeUrl: StoreUrl;
  vault: Vault;
  /** Where the image service listens: that of `IMAGE_API_URL`, or the embedded one. */
  imageUrl: string;
  clock: Clock;
  log: Log;
}

/** The bot with every command, its store, and its client of the image service, not yet connected. `cleanup` closes all three. */
export async function openBot(
  { config, storeUrl, imageUrl, ...environment }: BotEnvironment,
  cleanup: Cleanup,
): Promise<Bot> {
  const store = await openStore({ url: storeUrl, log: environment.log });
  cleanup.add(store.close);
  const images = createImageClient({ baseUrl: imageUrl, clock: environment.clock });
  cleanup.add(images.close);
  const bot = await createBot({
    ...environment,
    commands,
    store,
    images,
    service: config.IMAGE_API_URL ?? EMBEDDED,
    operatorKey: config.IMAGE_API_KEY,
    callsPerSecond: config.GUILD_CALLS_PER_SECOND,
  });
  cleanup.add(bot.stop);
  return bot;
}
