import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measuringTurns } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import { type ServiceWorldOptions, serviceWorld } from '../../packages/image-service/test/support/service.ts';
import {
  BOT,
  OTHER_GUILD,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { storeWithSettings } from './guild-settings.ts';
import { startDarkroom } from './start-darkroom.ts';

/** The compiled bot in a process of its own and in two servers, whose turns of the event loop are measured. */
export async function measuredBot({
  settings = {},
  ...options
}: ServiceWorldOptions & { settings?: Partial<GuildSettings> } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-measured-'));
  const turns = measuringTurns(folder);
  const service = await serviceWorld(options);
  const { discord, address, register, close } = await startLocalDiscord();
  discord.world.addMember(OTHER_GUILD, BOT);
  await register(...payloadsOf(commands));
  const bot = startDarkroom(['start', folder], {
    ...turns.env,
    DISCORD_TOKEN: discord.token(),
    DISCORD_API_URL: address.apiUrl,
    IMAGE_API_URL: service.url,
    IMAGE_API_KEY: service.key,
    STORE_URL: await storeWithSettings(settings),
    SECRET_KEY: 'c'.repeat(64),
  });
  onTestFinished(async () => {
    bot.child.kill('SIGKILL');
    await bot.ended;
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  await bot.says('the bot is on Discord');
  return { discord, bot, turns };
}
