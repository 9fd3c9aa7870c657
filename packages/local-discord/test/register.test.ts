import { fileURLToPath } from 'node:url';
import { startCommand, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startDiscord } from '../src/start.ts';

const BOT = fileURLToPath(new URL('support/unchanged-bot.mjs', import.meta.url));
const cwd = fileURLToPath(new URL('..', import.meta.url));
const command = [process.execPath, '--import', 'local-discord/register', BOT] as const;

test('the preload brings a bot that was not changed here, by undici, fetch and https', async () => {
  await using discord = await startDiscord();
  const env = { LOCAL_DISCORD_URL: discord.url, TOKEN: discord.token() };
  const bot = startCommand(command, env, { cwd });
  onTestFinished(() => bot.end().then(() => undefined));
  await expect.poll(() => discord.gateway.sessions().connected).toBe(1);
  const member = discord.as('member');
  const general = discord.id('channel', 'general');
  const signal = AbortSignal.timeout(WAIT_TIMEOUT_MS);
  for (const client of ['fetch', 'https']) {
    await member.say(general, `!${client}`);
    await member.waitForMessage(({ content }) => content === `${client}: 200`, { signal });
  }
});

test('the preload says what it needs', async () => {
  const bot = startCommand(command, { TOKEN: 'x' }, { cwd });
  const { code } = await bot.ended;
  expect(code).toBe(1);
  expect(bot.output()).toContain('LOCAL_DISCORD_URL');
});
