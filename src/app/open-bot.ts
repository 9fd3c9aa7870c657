import { join } from 'node:path';
import { createImageClient } from '@darkroom/image-api';
import type { Cleanup, Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { commands } from '../../commands/index.ts';
import type { Config } from '../config.ts';
import type { OperatorLimits } from '../limits/limits.ts';
import { measureImages, measureStore } from '../observability/measured-calls.ts';
import type { Observability } from '../observability/open-observability.ts';
import { openStore } from '../storage/store.ts';
import { isSqlite, type StoreUrl } from '../storage/store-url.ts';
import { type Bot, createBot, EMBEDDED } from './bot.ts';

interface BotEnvironment {
  config: Config;
  /** What the operator allows everybody; anything unless given. */
  limits?: OperatorLimits;
  discord: {
    token: string;
    /** Discord's REST address without a version. */
    apiUrl: string;
  };
  storage: {
    url: StoreUrl;
    vault: Vault;
    /** Of this process alone, on its own disk. */
    folder: string;
  };
  /** Where the image service listens: that of `IMAGE_API_URL`, or the embedded one. */
  imageUrl: string;
  clock: Clock;
  log: Log;
}

/**
 * The bot with every command, its store, and its client of the image service, seen from outside where
 * `HTTP_PORT` is set, and not yet connected. `cleanup` closes them all.
 */
export async function openBot(
  { config, limits = {}, discord, storage, imageUrl, clock, log }: BotEnvironment,
  cleanup: Cleanup,
): Promise<Bot> {
  const observability = await observabilityOf(config, log);
  if (config.IMAGE_API_KEY !== undefined) {
    const { keyDay, keyMonth, keyCreditsDay, keyCreditsMonth } = limits;
    log.info(
      { pictures: { day: keyDay, month: keyMonth }, credits: { day: keyCreditsDay, month: keyCreditsMonth } },
      'IMAGE_API_KEY pays for as much as this (in UTC; what is missing is not limited)',
    );
  }
  const store = await openStore({ url: storage.url, log });
  cleanup.add(store.close);
  const images = createImageClient({ baseUrl: imageUrl, clock });
  cleanup.add(images.close);
  const bot = await createBot({
    commands,
    discord: { ...discord, shards: config.SHARDS },
    storage: {
      store: observability ? measureStore(store, observability.metrics) : store,
      vault: storage.vault,
      spoolFolder: join(storage.folder, 'spool'),
      sharedBy: isSqlite(storage.url) ? undefined : storage.url,
      afterAnother: true,
    },
    service: {
      client: observability ? measureImages(images, observability.metrics) : images,
      name: config.IMAGE_API_URL ?? EMBEDDED,
      callsPerSecond: config.GUILD_CALLS_PER_SECOND,
    },
    operator: {
      key: config.IMAGE_API_KEY,
      scope: { guilds: config.IMAGE_API_KEY_GUILDS, outside: config.IMAGE_API_KEY_OUTSIDE },
      models: config.IMAGE_MODELS,
      limits,
      retentionDays: config.RETENTION_DAYS,
    },
    clock,
    log,
    metrics: observability?.metrics,
  });
  cleanup.add(bot.stop);
  if (observability) cleanup.add((await observability.listen(bot)).close);
  return bot;
}

/** Loaded only where somebody looks: its library costs memory. */
async function observabilityOf(
  { HTTP_HOST: host, HTTP_PORT: port }: Config,
  log: Log,
): Promise<Observability | undefined> {
  if (port === undefined) return undefined;
  const { openObservability } = await import('../observability/open-observability.ts');
  return openObservability({ host, port, log });
}
