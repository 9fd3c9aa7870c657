import { fileURLToPath } from 'node:url';
import { startCommand, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startDiscord } from '../src/start.ts';

const BOT = fileURLToPath(new URL('support/unchanged-bot.mjs', import.meta.url));
const cwd = fileURLToPath(new URL('..', import.meta.url));
const CLIENTS = fileURLToPath(new URL('support/any-client.mjs', import.meta.url));
const preloaded = [process.execPath, '--import', 'local-discord/register'] as const;
const command = [...preloaded, BOT] as const;

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

/** What every client of a process under the preload came to, and what left the process while it tried. */
async function tryClients(url: string, hosts: readonly string[]) {
  const clients = startCommand([...preloaded, CLIENTS, ...hosts], { LOCAL_DISCORD_URL: url }, { cwd });
  await clients.ended;
  return clients
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Attempt => JSON.parse(line))
    .filter(({ outcome }) => outcome !== 'WebSocket is not defined');
}

interface Attempt {
  host: string;
  kind: string;
  outcome: string;
  lookups: number;
  ports: number[];
}

test('the preload brings every client to the local Discord, and none past it', async () => {
  await using discord = await startDiscord();
  const attempts = await tryClients(discord.url, ['canary.discord.com', 'cdn.discordapp.com']);
  expect(attempts.length).toBeGreaterThan(30);
  for (const { kind, outcome, lookups, ports } of attempts) {
    expect({ kind, lookups, elsewhere: ports.filter((port) => port !== discord.port) }).toEqual({
      kind,
      lookups: 0,
      elsewhere: [],
    });
    const refused = outcome.includes('local-discord/register refused a connection');
    const isPlain =
      /^((http|net)( with a look-up of its own)?|socket|tls through a tunnel|dns.*|resolver)$/.test(kind);
    if (kind !== 'http2') expect({ kind, refused }).toEqual({ kind, refused: isPlain });
  }
});

test('the preload lets nothing out to a host of Discord’s that is not here', async () => {
  await using discord = await startDiscord();
  const hosts = ['gateway.discord.gg', 'GATEWAY.discord.gg.', 'us-east1.discord.media', 'status.discord.com'];
  const attempts = await tryClients(discord.url, hosts);
  expect(attempts.length).toBeGreaterThan(60);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ lookups: 0, ports: [] });
    // Node's own WebSocket says of no failure why.
    if (attempt.kind !== 'WebSocket')
      expect(attempt.outcome).toContain('local-discord/register refused a connection to ');
  }
});

test('the preload says what it needs', async () => {
  const bot = startCommand(command, { TOKEN: 'x' }, { cwd });
  const { code } = await bot.ended;
  expect(code).toBe(1);
  expect(bot.output()).toContain('LOCAL_DISCORD_URL');
});
