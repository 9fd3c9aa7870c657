import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { shellWord } from '@darkroom/process';
import { createVault, openSqlite, openVault } from '@darkroom/storage';
import { listen, NOWHERE, pretendWindows, silentLog, temporaryFolder } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { html, redirect, refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { loadServiceConfig } from '../../packages/image-service/src/config.ts';
import { openDatabase } from '../../packages/image-service/src/database/database.ts';
import { openService } from '../../packages/image-service/src/open-service.ts';
import { proveDatabase } from '../../packages/image-service/src/vault/database-proof.ts';
import { createFakeComfy, FAKE_MODELS } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { createFakeHorde, HORDE_KEY } from '../../packages/image-service/test/support/fake-horde.ts';
import { createFakeOpenai, OPENAI_KEY } from '../../packages/image-service/test/support/fake-openai.ts';
import { createFakeWebui } from '../../packages/image-service/test/support/fake-webui.ts';
import { createServiceWorld } from '../../packages/image-service/test/support/service.ts';
import { BOT, GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { openLocalDiscord } from '../../packages/local-discord/test/support/open-local-discord.ts';
import { calledName, payloadsOf } from '../../src/bot/registered-commands.ts';
import { loadConfig } from '../../src/config.ts';
import { type Checkups, diagnose, printed } from '../../src/operator/doctor/checkup.ts';
import { databaseCheckups } from '../../src/operator/doctor/database-checkups.ts';
import { discordCheckups } from '../../src/operator/doctor/discord-checkups.ts';
import { engineCheckups } from '../../src/operator/doctor/engine-checkups.ts';
import { serviceCheckups } from '../../src/operator/doctor/service-checkups.ts';
import { storeCheckups } from '../../src/operator/doctor/store-checkups.ts';
import { unitCheckups } from '../../src/operator/doctor/unit-checkups.ts';
import { registerCommands } from '../../src/operator/register-commands.ts';
import { UNIT_OF_DOCS, unitOf } from '../../src/operator/systemd-unit.ts';
import { en } from '../../src/operator/words/en.ts';
import { wordsIn } from '../../src/operator/words/words.ts';
import { lookAtCompatible } from '../../src/setup/engine-search.ts';
import { askNobody } from '../../src/setup/unattended.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { proveStore } from '../../src/storage/vault-proof.ts';
import { anotherUser } from '../support/another-user.ts';
import { nonsense } from '../support/nonsense.ts';
import { startDarkroom } from '../support/start-darkroom.ts';

/** What is found, by its name: undefined where it is well, else what is said of it. */
async function foundBy(checkups: Checkups): Promise<Record<string, string | undefined>> {
  const diagnoses = await diagnose(checkups, en);
  return Object.fromEntries(
    diagnoses.map(({ name, isWell, sentence }) => [name, isWell ? undefined : sentence]),
  );
}

async function discordWorld() {
  const discord = await openLocalDiscord();
  const config = { DISCORD_TOKEN: discord.discord.token(), DISCORD_API_URL: discord.address.apiUrl };
  return { ...discord, config };
}

async function newFolder(): Promise<string> {
  const parent = await temporaryFolder();
  return join(parent, 'data');
}

test('a bot that is set up is well, and its commands are up to date', async () => {
  const { config, register } = await discordWorld();
  await register(...payloadsOf(commands));
  const found = await foundBy(discordCheckups(config, commands, en));
  expect(found).toEqual({ token: undefined, application: undefined, commands: undefined, clock: undefined });
});

test('commands that are registered in one server only are up to date there, and found to be old as well', async () => {
  const { config, rest } = await discordWorld();
  const inGuild = { ...config, DISCORD_GUILD_ID: GUILD };
  const said = async () => (await foundBy(discordCheckups(inGuild, commands, en))).commands;
  await registerCommands(rest, commands, { applicationId: BOT, guildId: GUILD, words: en });
  expect(await said()).toBeUndefined();
  const [first, ...others] = payloadsOf(commands, GUILD);
  const body = [{ ...first, description: 'of an older version' }, ...others];
  await rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body });
  expect(await said()).toBe(en.doctor.outdated([first ? calledName(first) : ''], 'darkroom deploy-commands'));
});

test('a token that Discord does not know is told, and not repeated', async () => {
  const { config } = await discordWorld();
  const token = 'MzAwMDAwMDAwMDAwMDAwMDAx.wrong.token';
  const found = await foundBy(discordCheckups({ ...config, DISCORD_TOKEN: token }, commands, en));
  expect(found.token).toContain('copy the new one');
  expect(JSON.stringify(found)).not.toContain(token);
});

test('without a token, and where Discord is away, every line says what to do', async () => {
  const missing = await foundBy(
    discordCheckups({ DISCORD_TOKEN: undefined, DISCORD_API_URL: NOWHERE }, commands, en),
  );
  expect(missing.token).toContain('DISCORD_TOKEN is not set');
  const away = await foundBy(
    discordCheckups({ DISCORD_TOKEN: 'a.b.c', DISCORD_API_URL: NOWHERE }, commands, en),
  );
  expect(away.clock).toContain('Check the network');
});

test('an address where no Discord is, is told as that and not as a wrong id', async () => {
  const { config } = await discordWorld();
  const wrong = { ...config, DISCORD_API_URL: `${config.DISCORD_API_URL}x` };
  const found = await foundBy(discordCheckups(wrong, commands, en));
  for (const name of ['token', 'application', 'commands', 'clock']) {
    expect(found[name]).toContain(`there is no Discord at ${wrong.DISCORD_API_URL}`);
    expect(found[name]).toContain('https://discord.com/api');
  }
});

test('the token of another application is told', async () => {
  const { config } = await discordWorld();
  const other = { ...config, DISCORD_APPLICATION_ID: '300000000000000099' };
  const { application } = await foundBy(discordCheckups(other, commands, en));
  expect(application).toContain(BOT);
});

test('commands that are missing or old are named', async () => {
  const { config, register, rest } = await discordWorld();
  const [first] = commands.map(({ data }) => data);
  const [, ...others] = payloadsOf(commands);
  if (!first) throw new Error('no commands');
  await register({ ...first, description: 'of an older version' }, ...others.slice(1));
  const { commands: found } = await foundBy(discordCheckups(config, commands, en));
  expect(found).toContain(`/${first.name}, ${others[0] && calledName(others[0])}`);
  expect(found).toContain('darkroom deploy-commands');
  await rest.put(Routes.applicationCommands(BOT), { body: [] });
  expect((await foundBy(discordCheckups(config, commands, en))).commands).toContain('/imagine');
});

test('a clock that is off is told, with how far', async () => {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() - HOUR_MS).toUTCString());
    response.end('{}');
  });
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${await listen(server)}`;
  const { clock } = await foundBy(
    discordCheckups({ DISCORD_TOKEN: 'a.b.c', DISCORD_API_URL: address }, commands, en),
  );
  expect(clock).toMatch(/3(599|60\d) s ahead of Discord/);
});

test('a service that answers and takes the key is well; one that does not is told', async () => {
  const service = await createServiceWorld();
  onTestFinished(service.close);
  const key = { IMAGE_API_URL: service.url, IMAGE_API_KEY: service.key };
  expect(await foundBy(serviceCheckups(key, en))).toEqual({
    service: undefined,
    key: undefined,
    pictures: undefined,
  });
  const wrong = `sk-${'0'.repeat(48)}`;
  const refused = await foundBy(serviceCheckups({ ...key, IMAGE_API_KEY: wrong }, en));
  expect(refused.key).toContain('does not accept IMAGE_API_KEY');
  expect(JSON.stringify(refused)).not.toContain(wrong);
  const away = await foundBy(serviceCheckups({ ...key, IMAGE_API_URL: NOWHERE }, en));
  expect(away.service).toContain('Check IMAGE_API_URL');
  expect(away.key).toBe('not looked at while the service does not answer.');
  expect(await foundBy(serviceCheckups({}, en))).toEqual({ service: undefined, key: undefined });
});

test.each([
  ['shows the page of a proxy', html(403), 'no good answer (protocol)'],
  ['shows the page of somebody else', html(200), 'no good answer (protocol)'],
  [
    'knows no such operation, and says so as a service does,',
    refusal(404, 'Not Found'),
    'no good answer (not-found). Check IMAGE_API_URL, and that the service runs.',
  ],
  ['is being mended', html(503, { 'retry-after': '60' }), 'no good answer (busy)'],
])('an address that %s is not well', async (_, behaviour, said) => {
  const service = await createHostileService();
  service.script('balance', behaviour);
  expect((await foundBy(serviceCheckups({ IMAGE_API_URL: service.baseUrl }, en))).service).toContain(said);
});

test('an address that redirects is not well, and where it leads is said, with a key or without', async () => {
  const service = await createHostileService();
  const to = 'https://www.images.example.com/v1/index.php';
  service.script('balance', redirect(`${to}?endpoint=user_balance`, 301));
  const address = { IMAGE_API_URL: service.baseUrl };
  const { service: alone } = await foundBy(serviceCheckups(address, en));
  const { key } = await foundBy(serviceCheckups({ ...address, IMAGE_API_KEY: A_KEY }, en));
  expect([alone, key]).toEqual([en.doctor.redirected(to), en.doctor.redirected(to)]);
});

test.each([
  ['in its envelope', refusal(200, 'API key required')],
  ['by the status for it', html(401)],
])('a service that refuses a call without a key %s is well', async (_, behaviour) => {
  const service = await createHostileService();
  service.script('balance', behaviour);
  expect((await foundBy(serviceCheckups({ IMAGE_API_URL: service.baseUrl }, en))).service).toBeUndefined();
  expect(service.requests('balance')[0]?.headers).not.toHaveProperty('x-api-key');
});

/** What is said of the engines that these settings set up. */
async function engines(env: Record<string, string>): Promise<string | undefined> {
  const [found] = await diagnose(engineCheckups(loadConfig(env), en), en);
  return found && `${found.isWell ? 'well' : 'wrong'}: ${found.sentence}`;
}

test('engines that can draw are well, with the kudos of a key; what keeps one from it is told with its mend', async () => {
  const openai = await createFakeOpenai();
  const horde = await createFakeHorde();
  const hosted = {
    HOSTED_MODEL: 'openai:gpt-image-2.6-flare',
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: openai.baseUrl,
  };
  const volunteers = { AI_HORDE_KEY: HORDE_KEY, AI_HORDE_URL: horde.url };
  expect(await engines({})).toBe('well: pictures are sketched');
  expect(await engines({ ...hosted, ...volunteers })).toBe(
    'well: hosted: OpenAI accepts the key; horde: the key of ann#1 has 1234 kudos',
  );
  expect(await engines({ IMAGE_API_URL: NOWHERE })).toBeUndefined();
  const unknown = 'sk-proj-of-nobody';
  expect(await engines({ ...hosted, HOSTED_API_KEY: unknown })).toBe(
    'wrong: OpenAI does not accept the key of this service. Check HOSTED_API_KEY.',
  );
  expect(await engines({ ...hosted, HOSTED_BASE_URL: NOWHERE })).toBe(
    'wrong: OpenAI does not answer at the moment. Check HOSTED_BASE_URL and the network.',
  );
  const compatible = { ...hosted, HOSTED_MODEL: 'openai-compatible:sd-turbo' };
  expect(await engines(compatible)).toBe('well: hosted: The server of HOSTED_BASE_URL accepts the key');
  expect(await engines({ ...compatible, HOSTED_BASE_URL: await nonsense() })).toBe(
    'wrong: The server of HOSTED_BASE_URL answers, but not as OpenAI does. Check HOSTED_BASE_URL.',
  );
  expect(await engines({ ...volunteers, AI_HORDE_KEY: unknown })).toBe(
    'wrong: The AI Horde does not accept the key of this service. Check AI_HORDE_KEY.',
  );
});

test.each<[string, number, string, boolean]>([
  ['401', 401, '{}', false],
  ['403', 403, '{}', false],
  ['a wrong argument, as Google does', 400, '{"error":{"status":"API_KEY_INVALID"}}', false],
  ['that it may not ask for models', 403, '{"error":{"message":"Missing scopes: api.model.read."}}', true],
  ['that nobody pays', 403, '{"error":{"code":"insufficient_quota"}}', true],
  ['404', 404, 'Not Found', true],
])('set-up and the doctor judge a key alike whose server says %s', async (_, status, answer, isAccepted) => {
  const server = createServer((_request, response) => void response.writeHead(status).end(answer));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${await listen(server)}`;
  const hosted = { HOSTED_MODEL: 'openai-compatible:sd-turbo', HOSTED_API_KEY: 'sk-of-somebody' };
  expect(await engines({ ...hosted, HOSTED_BASE_URL: `${address}/v1` })).toContain(
    isAccepted ? 'accepts the key' : 'does not accept the key',
  );
  const seen = await lookAtCompatible(address, hosted.HOSTED_API_KEY, {
    ask: askNobody(() => {}, en),
    words: en,
  });
  expect(seen).toEqual(isAccepted ? { models: [] } : { problem: en.pictures.refusedKey, isOfKey: true });
});

test('of a server that takes no key, none is said to be accepted', async () => {
  const server = createServer((_request, response) => void response.end('{"data":[]}'));
  onTestFinished(() => void server.close());
  const HOSTED_BASE_URL = `http://127.0.0.1:${await listen(server)}/v1`;
  expect(await engines({ HOSTED_MODEL: 'openai-compatible:sd-turbo', HOSTED_BASE_URL })).toBe(
    'well: hosted: The server of HOSTED_BASE_URL answers',
  );
});

test('costs that a budget lacks, and one of what costs nothing, are told as the service would', async () => {
  const openai = await createFakeOpenai();
  const hosted = {
    HOSTED_MODEL: 'openai:gpt-image-2.6-flare',
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: openai.baseUrl,
    SERVICE_BUDGET: '{"day":1}',
  };
  expect(await engines(hosted)).toContain('wrong: SERVICE_BUDGET: bounds what pictures cost');
  expect(await engines({ ...hosted, HOSTED_COST: '0.04' })).toBe('well: hosted: OpenAI accepts the key');
  expect(await engines({ SERVICE_WORKFLOWS: '{"photo":{"cost":0.1}}' })).toContain(
    'wrong: SERVICE_WORKFLOWS: photo has a cost, but is drawn by sketch, which has none',
  );
});

test('machines that draw are asked whether they answer; one that does not is told with the mend', async () => {
  const webui = await createFakeWebui({ auth: 'ann:pass-word' });
  const { url: SDWEBUI_URL, host } = webui;
  expect(await engines({ SDWEBUI_URL })).toBe(`well: sdwebui: ${host} answers`);
  const wrong = SDWEBUI_URL.replace('pass-word', 'wrong-word');
  expect(await engines({ SDWEBUI_URL: wrong })).toBe(
    `wrong: ${host} does not answer as it should. Check user and password in SDWEBUI_URL (http://user:password@…).`,
  );
  webui.answer('GET /', { status: 404, body: { detail: 'Not Found' } }, 10);
  expect(await engines({ SDWEBUI_URL })).toContain('Start the WebUI with --api');
  await webui.stop();
  expect(await engines({ SDWEBUI_URL })).toContain('Check SDWEBUI_URL');
  expect(await engines({ COMFYUI_URL: NOWHERE })).toContain('Check COMFYUI_URL');
});

test('a workflow whose model nobody has is told with the setting that names it, unless nobody counts on it', async () => {
  const { url: COMFYUI_URL } = await createFakeComfy({
    models: { ...FAKE_MODELS, checkpoints: ['sdxl.safetensors'], vae: [] },
  });
  const named = {
    COMFYUI_MODELS: '{"default":"sd2"}',
    SERVICE_WORKFLOWS: '{"photo":{"engine":"comfyui","model":"realvis"}}',
  };
  expect(await engines({ COMFYUI_URL, ...named })).toBe(
    'wrong: The workflow default is not offered. There is no model sd2 in checkpoints; the servers have sdxl.safetensors. Check COMFYUI_MODELS. The workflow photo is not offered. There is no model realvis in checkpoints; the servers have sdxl.safetensors. Check SERVICE_WORKFLOWS.',
  );
  expect(await engines({ COMFYUI_URL })).toBe(`well: comfyui: ${new URL(COMFYUI_URL).host} answers`);
});

test('the database of the included service is looked at, and neither made nor brought up to date by that', async () => {
  const folder = await newFolder();
  const file = join(folder, 'service.sqlite');
  const look = async (settings: Readonly<Record<string, string>> = {}) => {
    const config = loadConfig({ SERVICE_DATABASE_URL: `sqlite://${file}`, ...settings });
    const [found] = await diagnose(databaseCheckups(config, en), en);
    return found && `${found.isWell ? 'well' : 'wrong'}: ${found.sentence}`;
  };
  expect(await look({ IMAGE_API_URL: NOWHERE })).toBeUndefined();
  expect(await look()).toBe('well: is made by the first start');
  await expect(readdir(folder)).rejects.toThrow('ENOENT');

  const vault = await openVault(undefined, folder);
  const running = await openDatabase(`sqlite://${file}`);
  await proveDatabase(running, vault);
  const READY = 'well: can be written with its pictures, and opens with the secret';
  expect(await look()).toBe(READY);
  await running.destroy();
  const sqlite = openSqlite(file, { timeoutMs: 0 });
  // As a backup is that was restored.
  sqlite.exec('PRAGMA journal_mode = DELETE');
  const key = (await readFile(join(folder, 'secret.key'), 'utf8')).trim();
  for (const settings of [{}, { SECRET_KEY: `${'cd'.repeat(32)},${key}` }])
    expect(await look(settings)).toBe(READY);
  expect(await look({ SECRET_KEY: 'cd'.repeat(32) })).toMatch(
    /^wrong: What is sealed in the database does not open with this secret\./,
  );
  await rm(join(folder, 'secret.key'));
  expect(await look()).toMatch(/^wrong: \S+secret\.key is missing, and SECRET_KEY is not set: /);
  expect(await readdir(folder)).toEqual(['service.sqlite']);

  const secret = { SECRET_KEY: 'cd'.repeat(32) };
  sqlite.exec(`DELETE FROM kysely_migration WHERE name LIKE '002%'`);
  expect(await look(secret)).toBe('well: is brought up to this version by the next start');
  sqlite.exec(`INSERT INTO kysely_migration VALUES ('9999-later', '')`);
  expect(await look(secret)).toContain('a later version of the service has changed its tables (9999-later).');
  sqlite.close();
  await writeFile(file, 'this is no database, and never was one');
  expect(await look(secret)).toBe(
    `wrong: The service cannot use its database ${file}: file is not a database. Where SERVICE_DATABASE_URL is right, the file is damaged: move it out of the way with its -wal, and restore the last backup.`,
  );
});

/** What the doctor says of the included service's database to this user, whose the folder and all in it is. */
async function serviceOf(uid: number) {
  const home = await temporaryFolder();
  const folder = join(home, 'data');
  const env = { SERVICE_DATABASE_URL: 'sqlite://data/service.sqlite', DISCORD_API_URL: NOWHERE };
  const { service } = await openService(
    loadServiceConfig({ SERVICE_DATABASE_URL: `sqlite://${join(folder, 'service.sqlite')}` }),
    { log: silentLog() },
  );
  await service.close();
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, name), uid, uid);
  await chmod(home, 0o755);
  return {
    folder,
    pictures: join(folder, 'pictures'),
    async said() {
      const program = startDarkroom(['doctor', home], env, { uid });
      await program.ended;
      return /. service database: (.*)/.exec(program.output())?.[0];
    },
  };
}

test('a database and a folder for pictures of the included service that cannot be written are told (tried as another user)', async ({
  skip,
}) => {
  const uid = anotherUser();
  if (uid === undefined) return skip('nobody else can run this program here');
  const { folder, pictures, said } = await serviceOf(uid);
  expect(await said()).toBe(
    '✔ service database: can be written with its pictures, and opens with the secret',
  );
  await chmod(pictures, 0o500);
  expect(await said()).toMatch(
    /^✖ service database: The service cannot use the folder \S+pictures for its pictures \(PICTURES_URL\): EACCES.+ and that the service may write to it\.$/,
  );
  await chmod(pictures, 0o700);
  await rename(pictures, `${pictures}-elsewhere`);
  expect(await said()).toContain('✖ service database: The pictures of this database are not in ');
  await expect(readdir(pictures)).rejects.toThrow('ENOENT');
  await chmod(join(folder, 'service.sqlite'), 0o400);
  expect(await said()).toMatch(/^✖ service database: .+ attempt to write a readonly database\. Check /);
  await rm(join(folder, 'service.sqlite'));
  await chmod(folder, 0o500);
  expect(await said()).toBe(
    `✖ service database: ${folder} cannot be written. Give it to the user who runs the bot: chown.`,
  );
});

test('a store that is not there yet is well, and is not made by looking', async () => {
  const folder = await newFolder();
  const url: StoreUrl = `sqlite://${join(folder, 'bot.sqlite')}`;
  expect(await foundBy(storeCheckups({ STORE_URL: url }, en))).toEqual({
    store: undefined,
    secret: undefined,
    'file modes': undefined,
  });
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('a secret that an account has already made is named, and is not said to be made yet', async () => {
  const folder = await newFolder();
  const url: StoreUrl = `sqlite://${join(folder, 'bot.sqlite')}`;
  const saidOfSecret = async () =>
    (await diagnose(storeCheckups({ STORE_URL: url }, en), en)).find(({ name }) => name === 'secret')
      ?.sentence;
  expect(await saidOfSecret()).toBe('is made by the first start');
  await openVault(undefined, folder);
  expect(await saidOfSecret()).toBe(`${join(folder, 'secret.key')}, with which the first start seals`);
});

/** A store whose secret is `ab` again and again. */
async function provedStore() {
  const folder = await newFolder();
  const url: StoreUrl = `sqlite://${join(folder, 'bot.sqlite')}`;
  const store = await openStore({ url, log: silentLog() });
  await proveStore({ store, vault: createVault(['ab'.repeat(32)]) });
  await store.close();
  return { folder, url };
}

test('another secret, a missing one, and files that others can read are told', async () => {
  const { folder, url } = await provedStore();
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o600);
  await chmod(folder, 0o700);
  const right = { STORE_URL: url, SECRET_KEY: ['ab'.repeat(32)] as const };
  expect(await foundBy(storeCheckups({ ...right, SECRET_KEY: [...right.SECRET_KEY] }, en))).toEqual({
    store: undefined,
    secret: undefined,
    'file modes': undefined,
  });
  const other = await foundBy(storeCheckups({ STORE_URL: url, SECRET_KEY: ['cd'.repeat(32)] }, en));
  expect(other.secret).toContain('does not open with this secret');
  expect((await foundBy(storeCheckups({ STORE_URL: url }, en))).secret).toContain('Put back the one');
  await chmod(folder, 0o755);
  expect((await foundBy(storeCheckups({ STORE_URL: url }, en)))['file modes']).toContain('chmod -R go=');
});

test('on Windows, which has no modes, files are not said to be their owner’s alone', async () => {
  pretendWindows();
  const folder = await newFolder();
  for (const language of ['en', 'de']) {
    const words = wordsIn(language);
    const diagnoses = await diagnose(
      storeCheckups({ STORE_URL: `sqlite://${folder}/bot.sqlite` }, words),
      words,
    );
    const found = diagnoses.find(({ name }) => name === 'file modes');
    expect(found).toMatchObject({ isWell: true, sentence: words.doctor.unknownModes('.env', folder) });
  }
});

test('one thread is enough to examine a store', async () => {
  const { url } = await provedStore();
  const program = startDarkroom(['doctor', await temporaryFolder()], {
    STORE_URL: url,
    SECRET_KEY: 'ab'.repeat(32),
    DISCORD_API_URL: NOWHERE,
    UV_THREADPOOL_SIZE: '1',
  });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  await program.ended;
  expect(program.output()).toContain('✔ store: can be written');
  expect(program.output()).toContain('✔ secret: opens what is sealed');
});

test('a machine on which no picture can be read is told before one is paid for', async () => {
  const folder = await temporaryFolder();
  // As on a processor that the binaries of sharp refuse.
  const refusal = join(folder, 'refusal.cjs');
  await writeFile(
    refusal,
    `const Module = require('node:module');
const load = Module._load;
Module._load = (id, ...rest) => {
  if (id.includes('sharp-')) throw new Error('Unsupported CPU');
  return load(id, ...rest);
};`,
  );
  const program = startDarkroom(['doctor', folder], {
    STORE_URL: `sqlite://${join(folder, 'bot.sqlite')}`,
    DISCORD_API_URL: NOWHERE,
    IMAGE_API_URL: NOWHERE,
    NODE_OPTIONS: `--require=${refusal}`,
  });
  await program.ended;
  expect(program.output()).toMatch(/✖ pictures: none can be read on this machine, .*Unsupported CPU/);
});

test('on a terminal that is in German the doctor speaks German', async () => {
  const folder = await temporaryFolder();
  const program = startDarkroom(['doctor', folder], {
    STORE_URL: `sqlite://${join(folder, 'bot.sqlite')}`,
    DISCORD_API_URL: NOWHERE,
    LC_ALL: 'de_DE.UTF-8',
  });
  await program.ended;
  expect(program.output()).toContain('✖ Token: DISCORD_TOKEN ist nicht gesetzt.');
  expect(program.output()).toContain('✖ Uhr: Discord ist nicht zu erreichen: ');
  expect(program.output()).toContain('✔ Datenbank: wird beim ersten Start angelegt');
});

test('what a store says of itself is said in German as well', async () => {
  const folder = await newFolder();
  await mkdir(folder);
  const path = join(folder, 'bot.sqlite');
  await writeFile(path, 'this is no database, and never was one');
  const words = wordsIn('de');
  const [store] = await diagnose(storeCheckups({ STORE_URL: `sqlite://${path}` }, words), words);
  expect(store?.sentence).toContain('ist nicht zu öffnen');
  expect(store?.sentence).not.toMatch(/\b(the|that|check|cannot)\b/i);
});

test('settings that others can read are told, as the token may stand in them', async () => {
  const folder = await newFolder();
  await mkdir(folder, { mode: 0o700 });
  const settings = join(folder, 'settings');
  await writeFile(settings, 'DISCORD_TOKEN=…');
  await chmod(settings, 0o644);
  const found = await foundBy(
    storeCheckups({ STORE_URL: `sqlite://${join(folder, 'bot.sqlite')}` }, en, settings),
  );
  expect(found['file modes']).toBe(
    `other users of this machine can read ${settings}. Run chmod -R go= ${settings}.`,
  );
});

test('a store that is no store is told', async () => {
  const folder = await newFolder();
  await mkdir(folder);
  await writeFile(join(folder, 'bot.sqlite'), 'this is no database, and never was one');
  const found = await foundBy(storeCheckups({ STORE_URL: `sqlite://${join(folder, 'bot.sqlite')}` }, en));
  expect(found.store).toContain('Where STORE_URL is right, the file is damaged');
  const away = await foundBy(
    storeCheckups({ STORE_URL: 'postgres://127.0.0.1:1/nowhere', SECRET_KEY: ['ab'.repeat(32)] }, en),
  );
  expect(away.store).toMatch(
    /^[^.]*127\.0\.0\.1:1\/nowhere.+ECONNREFUSED.+ lets the user of STORE_URL write\.$/,
  );
});

/** What is said of a unit that systemd has, with the bot in this folder. */
async function saidOf(unit: string, home: string): Promise<string | undefined> {
  const units = await temporaryFolder();
  const installed = join(units, 'darkroom.service');
  await writeFile(installed, unit);
  const [found] = await diagnose(unitCheckups(en, { units, home }), en);
  return found && `${found.isWell ? 'well' : 'wrong'}: ${found.sentence.replaceAll(installed, 'UNIT')}`;
}

const olderThan = (unit: string): string =>
  unit.replace('RestartSec=5', 'RestartSec=50').replace(/^ProtectClock=.*\n/m, '');

test.each([undefined, 'setup'])(
  'a unit of set-up (typed by npm: %s) that an upgrade left as it was is told, with what is different in it and how it is renewed',
  async (script) => {
    const home = join(await temporaryFolder(), 'the bot');
    const unit = await unitOf({ home, user: 'ann', script });
    expect(await saidOf(`${unit}# A comment.\n`, home)).toBe(`well: ${en.doctor.sameUnit}`);
    const different = ['RestartSec', 'ProtectClock'];
    const renewal = 'darkroom setup --run systemd';
    expect(await saidOf(olderThan(unit), home)).toBe(
      `wrong: ${en.doctor.oldUnit('UNIT', 'darkroom', { different, renewal })}`,
    );
  },
);

test('a unit of docs/operations.md is renewed by the file that it is a copy of', async () => {
  const unit = await readFile(UNIT_OF_DOCS, 'utf8');
  expect(await saidOf(unit, '/var/lib/darkroom')).toBe(`well: ${en.doctor.sameUnit}`);
  expect(await saidOf(olderThan(unit), '/var/lib/darkroom')).toContain(
    `Renew the unit: sudo install -m 0644 ${shellWord(UNIT_OF_DOCS)} UNIT, `,
  );
});

test('of the units of several bots each is told of its own, and where it has none nothing is said', async () => {
  const [units, first, second] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  const of = (home: string) => unitOf({ home, user: 'ann', script: undefined });
  const found = (home: string) => diagnose(unitCheckups(en, { units, home }), en);
  expect(await found(second)).toEqual([]);
  await writeFile(join(units, 'darkroom.service'), await of(first));
  expect(await found(second)).toEqual([]);
  await writeFile(join(units, 'darkroom-second.service'), olderThan(await of(second)));
  expect(await found(first)).toEqual([{ name: 'unit', isWell: true, sentence: en.doctor.sameUnit }]);
  const [told] = await found(second);
  expect(told).toMatchObject({ isWell: false });
  expect(told?.sentence).toContain(join(units, 'darkroom-second.service'));
  expect(told?.sentence).toContain('sudo systemctl restart darkroom-second.');
});

test('what is found is a line each, with a mark', () => {
  const text = printed(
    [
      { name: 'token', isWell: true, sentence: 'known' },
      { name: 'clock', isWell: false, sentence: 'an hour\nahead' },
    ],
    en,
  );
  expect(text).toBe('✔ token: known\n✖ clock: an hour ahead\n');
});
