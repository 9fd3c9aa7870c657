import { dirname } from 'node:path';
import { commands } from '../commands/index.ts';
import { createBot, EMBEDDED } from './bot/bot.ts';
import { createImageClient } from './client/client.ts';
import { systemClock } from './clock.ts';
import { type Config, loadConfig } from './config.ts';
import { takeLease } from './lease.ts';
import { createLog, type Log } from './log.ts';
import { createParts } from './parts.ts';
import { runProgram } from './program.ts';
import { openService } from './service/open-service.ts';
import { runUntilSignal } from './signals.ts';
import { sqlitePath } from './sqlite.ts';
import { openStore } from './store.ts';
import { openVault } from './vault.ts';

/**
 * The bot with the image service of `IMAGE_API_URL`, or with one of its own in the same process. Resolves with how to
 * stop it; calls `fail` where Discord has shut it out for good.
 */
async function startBot(
  config: Config,
  token: string,
  log: Log,
  fail: () => void,
): Promise<() => Promise<void>> {
  const parts = createParts(log);
  try {
    const path = sqlitePath(config.STORE_URL);
    const lease = await takeLease({ path });
    parts.add(lease.release);
    let imageUrl = config.IMAGE_API_URL;
    if (imageUrl === undefined) {
      const { service, url } = await openService(config, log);
      parts.add(service.close);
      imageUrl = url;
      log.info({ url }, 'no IMAGE_API_URL: the image service runs in this process');
      log.info('make an account for yourself: npm run service -- account add NAME --credits N');
    }
    const images = createImageClient({ baseUrl: imageUrl });
    parts.add(images.close);
    const store = await openStore({ url: config.STORE_URL, log });
    parts.add(store.close);
    const vault = await openVault(config.SECRET_KEY, dirname(path));
    const bot = await createBot({
      token,
      apiUrl: config.DISCORD_API_URL,
      commands,
      store,
      vault,
      images,
      service: config.IMAGE_API_URL ?? EMBEDDED,
      operatorKey: config.IMAGE_API_KEY,
      callsPerSecond: config.GUILD_CALLS_PER_SECOND,
      clock: systemClock,
      log,
    });
    parts.add(bot.stop);
    const { username, inviteUrl, lost } = await bot.start();
    log.info({ username, inviteUrl }, 'the bot is on Discord');
    void lost.then(fail);
    return parts.close;
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** `npm start`: the bot on Discord with `DISCORD_TOKEN`, the playground without. */
await runProgram(async () => {
  const config = loadConfig(process.env, { tokenRequired: process.env.NODE_ENV === 'production' });
  const { DISCORD_TOKEN: token } = config;
  await runUntilSignal(async (fail) => {
    if (token !== undefined) return startBot(config, token, createLog({ level: config.LOG_LEVEL }), fail);
    const { startPlayground } = await import('./playground/start.ts');
    return startPlayground(config);
  });
});
