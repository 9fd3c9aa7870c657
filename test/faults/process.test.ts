import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqlite, sqlitePath } from '@darkroom/storage';
import {
  captureLog,
  type StartedProcess,
  startCommand,
  startTcpProxy,
  until,
  WAIT_TIMEOUT_MS,
} from '@darkroom/testing';
import { KeyvSqlite } from '@keyv/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { hang } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import {
  type ControlledEngine,
  controlledEngine,
} from '../../packages/image-service/test/support/engines.ts';
import { serviceWorld } from '../../packages/image-service/test/support/service.ts';
import { testStorage } from '../../packages/image-service/test/support/storage.ts';
import { webhookReceiver } from '../../packages/image-service/test/support/webhook-receiver.ts';
import type { StartOptions } from '../../packages/local-discord/src/start.ts';
import { calls, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  MEMBER,
  sees,
  seesOutcome,
  smallWorld,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { createInstallation } from '../../src/shards/installation.ts';
import { openStore } from '../../src/storage/store.ts';
import { anotherUser } from '../support/another-user.ts';
import { postgresSchema } from '../support/postgres.ts';
import { startDarkroom } from '../support/start-darkroom.ts';

const POSTGRES = process.env.TEST_POSTGRES_URL ?? '';

const ON_DISCORD = 'the bot is on Discord';

/** Exit code of a stop that is over before ten seconds are, by the clock of the process. */
const IN_TIME = 0;

/** Exit code where a second signal ended it, while a stop in order was still waiting. */
const AT_ONCE = 1;

/** A local Discord, and the compiled bot as it runs for its operator, as often as a test starts it. */
async function processWorld(imageUrl: string, imageKey: string, discordOptions: StartOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-process-'));
  const { discord, address, register, close } = await startLocalDiscord(discordOptions);
  const token = discord.token();
  await register(...commands.map(({ data }) => data));
  const processes: StartedProcess[] = [];
  onTestFinished(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  const member = discord.as(MEMBER);
  const variables = {
    DISCORD_TOKEN: token,
    DISCORD_API_URL: address.apiUrl,
    IMAGE_API_URL: imageUrl,
    IMAGE_API_KEY: imageKey,
    STORE_URL: `sqlite://${join(folder, 'bot.sqlite')}`,
    SECRET_KEY: 'c'.repeat(64),
  };

  return {
    folder,
    discord,
    member,
    start(env: Record<string, string> = {}, as: { uid?: number } = {}): StartedProcess {
      const started = startDarkroom(['start', folder], { ...variables, ...env }, as);
      processes.push(started);
      return started;
    },
    startByNpm(env: Record<string, string>): StartedProcess {
      const cwd = fileURLToPath(new URL('../..', import.meta.url));
      const started = startCommand(['npm', 'start'], { ...variables, HOME: folder, ...env }, { cwd });
      processes.push(started);
      return started;
    },
    async imagine() {
      const answer = messageOf(await member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }));
      return answer;
    },
    ended: (messageId: string) => seesOutcome(member, messageId),
    /** Resolves when the row of a job holds `words`. */
    async row(words: string): Promise<void> {
      const uri = `sqlite://${join(folder, 'bot.sqlite')}`;
      const adapter = new KeyvSqlite({ uri, table: 'unused', busyTimeout: WAIT_TIMEOUT_MS });
      const isThere = async () =>
        JSON.stringify(await adapter.query('SELECT value FROM bot_rows')).includes(words);
      await until(isThere, `a row with ${words}`);
      await adapter.close();
    },
  };
}

/** The same with a service of ours, which draws with `engine` or at once. */
async function servedWorld(engine?: ControlledEngine) {
  const service = await serviceWorld({ ...(engine && { engine }) });
  return { service, ...(await processWorld(service.url, service.key)) };
}

/** A running bot, one of whose pictures is being drawn. */
async function botThatDraws() {
  const engine = controlledEngine();
  const world = await servedWorld(engine);
  const bot = world.start();
  await bot.says(ON_DISCORD);
  const reply = await world.imagine();
  const drawing = await engine.next();
  return {
    world,
    bot,
    drawing,
    /** The next process shows the picture, which was drawn once. */
    async comesOutOfTheNext(): Promise<void> {
      await world.start().says(ON_DISCORD);
      expect((await world.ended(reply.id)).attachments).toHaveLength(1);
      expect(engine.begun).toHaveLength(1);
    },
  };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the process with 0 in time, and the next one goes on where it stood',
  async (signal) => {
    const { bot, drawing, comesOutOfTheNext } = await botThatDraws();
    expect((await bot.end(signal)).code).toBe(IN_TIME);
    expect(bot.output()).toContain('stopping: what is under way goes on at the next start');
    await drawing.finish();
    await comesOutOfTheNext();
  },
);

test('what a process writes is for its own user, and a folder that others may read is named', async () => {
  const world = await servedWorld();
  const data = join(world.folder, 'data');
  const STORE_URL = `sqlite://${join(data, 'bot.sqlite')}`;
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const first = world.start({ STORE_URL });
  await first.says(ON_DISCORD);
  expect(await modeOf(data)).toBe('700');
  for (const name of await readdir(data)) {
    const path = join(data, name);
    expect(await modeOf(path), name).toBe((await stat(path)).isDirectory() ? '700' : '600');
  }
  expect(first.output()).not.toContain('chmod');
  await first.end();
  await chmod(data, 0o755);
  const second = world.start({ STORE_URL });
  await second.says(ON_DISCORD);
  expect(second.output()).toContain(`chmod -R go= ${data}`);
  expect(await modeOf(data)).toBe('755');
});

test('a start with another secret says what to do', async () => {
  const world = await servedWorld();
  const first = world.start();
  await first.says(ON_DISCORD);
  await first.end();
  const second = world.start({ SECRET_KEY: 'd'.repeat(64) });
  expect(await second.ended).toMatchObject({ code: 1 });
  expect(second.output()).toContain('does not open with this secret. Put back the one that it had');
});

test('a copy of another bot does not start, and nothing is sent that waits in the database of its service', async () => {
  const receiver = await webhookReceiver((response) => void response.writeHead(503).end());
  const storage = await testStorage();
  const original = await serviceWorld({
    storage,
    webhookOrigins: [receiver.origin],
    secretKeys: ['c'.repeat(64)],
  });
  const { start, folder } = await processWorld('', original.key);
  await original.submitted({ prompt: 'a fox', webhook: receiver.url });
  await receiver.next();
  await original.close();
  const database = openSqlite(sqlitePath(storage.databaseUrl) ?? '', { timeoutMs: WAIT_TIMEOUT_MS });
  database.exec('UPDATE webhooks SET dueAt = 1');
  database.close();
  const { log } = captureLog();
  const store = await openStore({ url: `sqlite://${join(folder, 'bot.sqlite')}`, log });
  const applicationId = '100000000000000099';
  const known = { setting: 'auto', recommended: 1, alone: true, identifies: 1, log } as const;
  await createInstallation(store).agree({ applicationId, ...known });
  await store.close();
  const copy = start({
    DISCORD_APPLICATION_ID: applicationId,
    SERVICE_DATABASE_URL: storage.databaseUrl,
    SERVICE_PORT: '0',
    SERVICE_WEBHOOK_ORIGINS: receiver.origin,
  });
  expect(await copy.ended).toMatchObject({ code: 1 });
  expect(copy.output()).toContain(`belongs to the application ${applicationId}`);
  expect(receiver.received).toHaveLength(1);
});

test('a bot of before 2016, whose token names another id than its application, starts again', async () => {
  const token = `${Buffer.from('100000000000000001').toString('base64url')}.old-bt.${'o'.repeat(38)}`;
  const { start } = await processWorld('', '', {
    world: { ...smallWorld, applications: [{ id: BOT, name: 'Old', token }] },
  });
  const env = { SERVICE_DATABASE_URL: (await testStorage()).databaseUrl, SERVICE_PORT: '0' };
  const first = start(env);
  await first.says(ON_DISCORD);
  await first.end();
  await start(env).says(ON_DISCORD);
});

test('a process that is killed leaves its jobs to the next, which begins at once', async () => {
  const { world, bot, drawing, comesOutOfTheNext } = await botThatDraws();
  drawing.progress(40);
  await sees(world.member, ({ content }) => content.includes('40 %'));
  await bot.end('SIGKILL');
  await drawing.finish();
  await comesOutOfTheNext();
});

/** A bot that stops only when its grace period is over: a submission of it hangs. */
async function botThatHangs() {
  const service = await createHostileService();
  service.script('submit', hang());
  const world = await processWorld(service.baseUrl, A_KEY);
  const bot = world.start();
  await bot.says(ON_DISCORD);
  const reply = await world.imagine();
  await expect.poll(() => service.requests('submit')).toHaveLength(1);
  return { service, world, bot, reply };
}

test('while a submission hangs, stopping still ends in time, and the next process tells that it is unclear', async () => {
  const { service, world, bot, reply } = await botThatHangs();
  expect((await bot.end()).code).toBe(IN_TIME);
  await world.start().says(ON_DISCORD);
  expect((await world.ended(reply.id)).content).toContain(en.failure.reasons.unclear);
  expect(service.requests('submit')).toHaveLength(1);
});

test('while an edit hangs that a finished picture waits for, stopping ends in time, and the next process shows it', async () => {
  const { world, bot, drawing, comesOutOfTheNext } = await botThatDraws();
  world.discord.faults.add({ every: calls.reply, effect: 'hang' });
  drawing.progress(40);
  await expect
    .poll(() => world.discord.requests.list((asked) => calls.reply(asked) && asked.status === null))
    .toHaveLength(1);
  await drawing.finish();
  await world.row('delivering');
  expect((await bot.end()).code).toBe(IN_TIME);
  world.discord.faults.clear();
  await comesOutOfTheNext();
});

test('a second signal, a second later, ends the process at once', async () => {
  const { bot, world } = await botThatHangs();
  bot.child.kill('SIGTERM');
  await expect.poll(() => world.discord.gateway.isConnected(BOT)).toBe(false);
  await setTimeout(1_100);
  expect((await bot.end('SIGTERM')).code).toBe(AT_ONCE);
});

test('two signals at once are one: the process ends in order', async () => {
  const { bot } = await botThatHangs();
  bot.child.kill('SIGINT');
  expect((await bot.end('SIGTERM')).code).toBe(0);
});

test('a signal to npm start reaches the bot, which ends in order, and needs no compiler in production', async () => {
  const world = await servedWorld();
  const npm = world.startByNpm({ NODE_ENV: 'production' });
  await npm.says(ON_DISCORD);
  expect(npm.output()).not.toContain('tsc');
  await npm.end('SIGTERM');
  await expect.poll(() => world.discord.gateway.isConnected(BOT)).toBe(false);
  await world.start().says(ON_DISCORD);
});

test.each([
  [4004, 'Copy the token again from the Bot page'],
  [4014, 'DisallowedIntents'],
])('a connection that Discord ends for good (%i) ends the process with 1, in order', async (close, words) => {
  const { world, bot, drawing, comesOutOfTheNext } = await botThatDraws();
  world.discord.gateway.close(close);
  expect((await bot.ended).code).toBe(1);
  expect(bot.output()).toContain('Discord ended the connection for good');
  expect(bot.output()).toContain(words);
  await drawing.finish();
  await comesOutOfTheNext();
});

test('a second process on the same store hears of the first, not of a port that its service would have, and the first goes on', async () => {
  const { service, ...world } = await servedWorld();
  await world.start().says(ON_DISCORD);
  const withService = {
    IMAGE_API_URL: '',
    SERVICE_DATABASE_URL: `sqlite://${join(world.folder, 'service.sqlite')}`,
    SERVICE_PORT: new URL(service.url).port,
  };
  // Together, because each waits for a while whether the first one ends.
  const others = [world.start(), world.start(withService)];
  for (const other of others) {
    expect((await other.ended).code).toBe(1);
    expect(other.output()).toMatch(/^Another Darkroom is running on .+\n$/);
  }
  const reply = await world.imagine();
  expect((await world.ended(reply.id)).attachments).toHaveLength(1);
});

test.each([
  [
    'no database',
    async (folder: string) => {
      await writeFile(join(folder, 'bot.sqlite'), 'this is no database, and was never one. '.repeat(50));
      return `sqlite://${join(folder, 'bot.sqlite')}`;
    },
  ],
  ['in a place where nothing can be written', async () => 'sqlite:///dev/null/bot.sqlite'],
  [
    'a folder',
    async (folder: string) => {
      await mkdir(join(folder, 'store'));
      return `sqlite://${join(folder, 'store')}`;
    },
  ],
])('a store that is %s ends the start with one sentence', async (_, spoil) => {
  const world = await servedWorld();
  const bot = world.start({ STORE_URL: await spoil(world.folder) });
  const { code } = await bot.ended;
  expect(code).toBe(1);
  const [sentence] = bot.output().split('\n').filter(Boolean).slice(-1);
  expect(sentence).toMatch(/^The store \S+ cannot be opened: /);
});

test('nothing of a token or a key is read in what the process writes', async () => {
  const { service, ...world } = await servedWorld();
  const bot = world.start({ LOG_LEVEL: 'trace' });
  await bot.says(ON_DISCORD);
  const reply = await world.imagine();
  await world.ended(reply.id);
  await bot.end();
  const store = await readFile(join(world.folder, 'bot.sqlite'), 'latin1');
  for (const secret of [service.key, world.discord.token(), 'c'.repeat(64)]) {
    expect(bot.output()).not.toContain(secret);
    expect(store).not.toContain(secret);
  }
});

test('a store that may not be written ends the start with one sentence (tried as another user)', async ({
  skip,
}) => {
  const uid = anotherUser();
  if (uid === undefined) return skip('nobody else can run this program here');
  const world = await servedWorld();
  await writeFile(join(world.folder, 'bot.sqlite'), '');
  await chmod(world.folder, 0o555);
  const started = world.start({}, { uid });
  const { code } = await started.ended;
  expect(code).toBe(1);
  expect(started.output()).toMatch(/^The store \S+bot\.sqlite cannot be opened: .+\n$/);
});

test('a store whose file may only be read ends the start with one sentence (tried as another user)', async ({
  skip,
}) => {
  const uid = anotherUser();
  if (uid === undefined) return skip('nobody else can run this program here');
  const world = await servedWorld();
  const path = join(world.folder, 'bot.sqlite');
  const first = world.start();
  await first.says(ON_DISCORD);
  await first.end();
  await chmod(path, 0o444);
  await chmod(world.folder, 0o777);
  for (const name of await readdir(world.folder))
    if (name !== 'bot.sqlite') await rm(join(world.folder, name), { recursive: true });
  const started = world.start({}, { uid });
  expect((await started.ended).code).toBe(1);
  const [sentence] = started.output().split('\n').filter(Boolean).slice(-1);
  expect(sentence).toMatch(
    /^The store \S+bot\.sqlite cannot be opened: .+ readonly database\. Check STORE_URL/,
  );
});

test.each([
  ['is away', 'reset'],
  ['is kept from it by Cloudflare', refusal(403, 40333)],
] as const)('a bot that starts while Discord %s says so once, and is on Discord later', async (_, effect) => {
  const { discord, start } = await servedWorld();
  discord.faults.add({ every: calls.any, effect });
  const bot = start();
  await bot.says('Discord cannot be reached: ');
  const asked = () => discord.requests.list(({ path }) => path === '/gateway/bot').length;
  const before = asked();
  await until(() => asked() > before, 'another attempt');
  discord.faults.clear();
  await bot.says(ON_DISCORD);
  expect(bot.output().split('Discord cannot be reached: ')).toHaveLength(2);
});

describe.skipIf(POSTGRES === '')('a bot on PostgreSQL (TEST_POSTGRES_URL)', () => {
  test.each([
    ['its store', (url: string) => ({ STORE_URL: url })],
    [
      'the database of its service',
      (url: string) => ({ IMAGE_API_URL: '', SERVICE_DATABASE_URL: url, SERVICE_PORT: '0' }),
    ],
  ])('that starts while %s is away is on Discord when that is back', async (_, settings) => {
    const proxy = await startTcpProxy(new URL(await postgresSchema(POSTGRES)));
    proxy.refuse();
    const bot = (await servedWorld()).start(settings(proxy.url));
    await bot.says('Trying again; check that it runs there');
    proxy.recover();
    await bot.says(ON_DISCORD);
  });

  test('whose service has none of the accounts of the SQLite file there says that it takes none over', async () => {
    const world = await servedWorld();
    await mkdir(join(world.folder, 'data'));
    const database = join(world.folder, 'data', 'service.sqlite');
    await writeFile(database, '');
    const settings = { IMAGE_API_URL: '', SERVICE_DATABASE_URL: await postgresSchema(POSTGRES) };
    const bot = world.start({ ...settings, SERVICE_PORT: '0' });
    await bot.says('has no accounts, and takes none over from this file');
    expect(bot.output()).toContain(database);
  });

  test('that has no such database ends at once', async () => {
    const url = new URL(POSTGRES);
    url.pathname = '/nowhere';
    const bot = (await servedWorld()).start({ STORE_URL: url.href });
    expect(await bot.ended).toMatchObject({ code: 1 });
    expect(bot.output()).toMatch(/\nThe store \S+nowhere cannot be opened: .+ does not exist\. .+\n$/);
    expect(bot.output()).not.toContain('Trying again; check');
  });
});

test('a signal before the start is complete ends the process with 0', async () => {
  const world = await servedWorld();
  world.discord.faults.add({
    next: { method: 'GET', path: /^\/gateway\/bot$/, hasFiles: false },
    effect: 'hang',
  });
  const started = world.start();
  await expect.poll(() => world.discord.requests.list(({ path }) => path === '/gateway/bot')).toHaveLength(1);
  expect((await started.end()).code).toBe(0);
});
