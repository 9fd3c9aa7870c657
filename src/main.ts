import { runMain, runUntilSignal, standardOutput, tellUnread } from '@darkroom/process';
import { CONFIG_KEYS, loadConfig } from './config.ts';
import { createLog } from './log.ts';

/** `darkroom start`: the bot on Discord with `DISCORD_TOKEN`, the playground without. */
await runMain(async () => {
  tellUnread(process.env, CONFIG_KEYS);
  const config = loadConfig(process.env, { tokenRequired: process.env.NODE_ENV === 'production' });
  const { DISCORD_TOKEN: token } = config;
  await runUntilSignal(async (fail) => {
    if (token !== undefined) {
      const { startBot } = await import('./app/start-bot.ts');
      const log = createLog({ level: config.LOG_LEVEL, destination: await standardOutput() });
      return startBot(config, token, log, fail);
    }
    const { startPlayground } = await import('./playground/start.ts');
    return startPlayground(config);
  });
});
