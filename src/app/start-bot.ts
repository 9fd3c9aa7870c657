import { existsSync } from 'node:fs';
import { createCleanup, type Log, ownCommand } from '@darkroom/process';
import { openToOthers, openVault, sqlitePath } from '@darkroom/storage';
import { systemClock } from '@darkroom/time';
import { SnowflakeUtil } from 'discord.js';
import type { Config } from '../config.ts';
import { isReadOnTheWay } from '../credentials/plain-address.ts';
import { applicationOf } from '../discord-token.ts';
import { operatorLimits } from '../limits/limit-environment.ts';
import { SETTINGS_FILE } from '../settings-file.ts';
import { createInstallation } from '../shards/installation.ts';
import { StoreError } from '../storage/collection.ts';
import { openStore } from '../storage/store.ts';
import { acquireStoreLock } from '../storage/store-lock.ts';
import { folderOf, isSqlite } from '../storage/store-url.ts';
import { unusableStore } from '../storage/unusable-store.ts';
import { sealedStore } from '../storage/vault-proof.ts';
import { openBot } from './open-bot.ts';

/**
 * The bot with the image service of `IMAGE_API_URL`, or with one of its own in the same process. Resolves with how to
 * stop it; calls `fail` where Discord has shut it out for good. `signal` ends the waits for what is down at the start.
 */
export async function startBot(
  config: Config,
  token: string,
  log: Log,
  fail: () => void,
  signal?: AbortSignal,
): Promise<() => Promise<void>> {
  const cleanup = createCleanup(log);
  try {
    const { STORE_URL: storeUrl } = config;
    const folder = folderOf(storeUrl);
    if (isSqlite(storeUrl)) cleanup.add((await acquireStoreLock({ path: sqlitePath(storeUrl) })).release);
    else {
      const { awaitPostgres } = await import('@darkroom/storage/postgres');
      await awaitPostgres(storeUrl, { log, signal });
    }
    const open = await openToOthers(SETTINGS_FILE, folder);
    if (open) log.warn({ open: open.open }, `other users of this machine may read here: ${open.command}`);
    let imageUrl = config.IMAGE_API_URL;
    if (imageUrl !== undefined && isReadOnTheWay(imageUrl))
      log.warn(
        { url: imageUrl },
        'IMAGE_API_URL is plain http to another machine: keys can be read on the way',
      );
    if (imageUrl === undefined) {
      // Its service would send the other's webhooks, and draw what waits there.
      await refuseOthersStore(config, token, log);
      const { openService } = await import('@darkroom/image-service');
      const { service, url } = await openService(config, { log, signal });
      cleanup.add(service.close);
      imageUrl = url;
      log.info({ url }, 'no IMAGE_API_URL: the image service runs in this process');
      log.info(`make an account for yourself: ${ownCommand('service', 'account add NAME --credits N')}`);
    }
    const bot = await openBot(
      {
        config,
        limits: operatorLimits(config),
        discord: { token, apiUrl: config.DISCORD_API_URL },
        storage: {
          url: storeUrl,
          vault: await openVault(config.SECRET_KEY, folder, sealedStore(storeUrl)),
          folder,
        },
        imageUrl,
        clock: systemClock,
        log,
      },
      cleanup,
    );
    const { username, inviteUrl, lost } = await bot.start(signal);
    log.info({ username, inviteUrl }, 'the bot is on Discord');
    void lost.then(fail);
    return () => {
      log.info('stopping: what is under way goes on at the next start');
      return cleanup.run();
    };
  } catch (error) {
    await cleanup.run();
    throw error instanceof StoreError ? unusableStore(config.STORE_URL, error) : error;
  }
}

async function refuseOthersStore({ STORE_URL: url }: Config, token: string, log: Log): Promise<void> {
  const applicationId = applicationOf(token);
  if (applicationId === undefined || (isSqlite(url) && !existsSync(sqlitePath(url)))) return;
  // Bots of before 2016 have another id than their application; Discord tells it later.
  if (SnowflakeUtil.timestampFrom(applicationId) < Date.UTC(2017, 0)) return;
  const store = await openStore({ url, log });
  await createInstallation(store).refuseOther(applicationId).finally(store.close);
}
