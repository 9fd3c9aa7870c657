import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { listen, NOWHERE } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeComfy } from '../../packages/image-service/test/support/fake-comfyui.ts';
import {
  createFakeOpenai,
  OPENAI_KEY,
  openaiRefusal,
} from '../../packages/image-service/test/support/fake-openai.ts';
import { serviceWorld } from '../../packages/image-service/test/support/service.ts';
import { tooMany } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MEMBER } from '../../packages/local-discord/test/support/local-discord.ts';
import { wordsIn } from '../../src/operator/words/words.ts';
import { nonsense } from '../support/nonsense.ts';
import { chooseSketches, openSetupWorld, picks, type SetupWorld } from '../support/setup-world.ts';
import { KEY } from '../support/terminal.ts';

const SKETCHES = ['--sketch', '--no-picture'];

async function setupWorld(options?: { settings: string }) {
  const world = await openSetupWorld(options);
  onTestFinished(world.close);
  return world;
}

/** At the question for the token, in a world whose Discord answers one kind of call with `status`. */
async function atToken(
  { discord, token, run }: SetupWorld,
  { path, status, args = [] }: { path: string; status: number; args?: string[] },
) {
  discord.faults.add({ effect: { status }, every: (call) => call.path.includes(path) });
  const terminal = run({ args: [...SKETCHES, ...args] });
  await terminal.answers('The bot’s token', token);
  return terminal;
}

test('where Discord does not say which servers the bot is in, it is asked again', async () => {
  const world = await setupWorld();
  const terminal = await atToken(world, { path: '/users/@me/guilds', status: 503 });
  await terminal.sees('Discord cannot be reached');
  await terminal.sees('What now?');
  world.discord.faults.clear();
  terminal.types(KEY.enter);
  await terminal.sees('Add the bot to your server by this address');
  world.invite();
  await terminal.sees('It is in “First”');
  await terminal.sees('commands are registered');
});

test('where Discord does not take the commands, they are sent again', async () => {
  const world = await setupWorld();
  world.invite();
  const terminal = await atToken(world, { path: '/commands', status: 503 });
  await terminal.sees('It is not certain that Discord has changed the commands');
  await terminal.sees('Try again');
  world.discord.faults.clear();
  terminal.types(KEY.enter);
  await terminal.sees('commands are registered');
  await terminal.sees('How will the bot run?');
});

test('where Discord takes no more commands for now, it says for how long, and they are sent again', async () => {
  const world = await setupWorld();
  world.invite();
  world.discord.faults.add({ effect: tooMany(120), every: ({ method }) => method === 'PUT' });
  const terminal = world.run({ args: SKETCHES });
  await terminal.answers('The bot’s token', world.token);
  await terminal.sees('Discord takes no more of this for 2 minutes');
  await terminal.sees('Try again');
  world.discord.faults.clear();
  terminal.types(KEY.enter);
  await terminal.sees('commands are registered');
});

test('a token that is reset meanwhile is asked for again', async () => {
  const world = await setupWorld();
  world.invite();
  const terminal = await atToken(world, { path: '/users/@me/guilds', status: 401 });
  await terminal.sees('It may have been reset');
  await terminal.sees('The bot’s token');
  world.discord.faults.clear();
  terminal.types(world.token, KEY.enter);
  await terminal.sees('It is in “First”');
});

test('where the port of its image service is taken, another one is asked for, and the bot starts', async () => {
  const world = await setupWorld({ settings: 'RETENTION_DAYS=30\n' });
  world.invite();
  const taken = createServer();
  onTestFinished(() => void taken.close());
  const port = await listen(taken);
  const terminal = world.run({
    args: [...SKETCHES, '--run', 'npm', '--payer', 'members'],
    env: { SERVICE_PORT: `${port}` },
  });
  await terminal.answers('The bot’s token', world.token);
  await terminal.answers('Try it now?');
  await terminal.sees(`port ${port} is taken`);
  await terminal.answers('Another port', KEY.deleteLine, 'high');
  await terminal.answers('A port is a number', KEY.deleteLine, '0');
  await terminal.sees('unset SERVICE_PORT');
  await terminal.sees('The bot is on Discord');
  expect(await world.read()).toMatchObject({ SERVICE_PORT: '0', RETENTION_DAYS: '30' });
});

test('where the bucket of the bot is away, it is told what the start waits for, until Ctrl-C', async () => {
  const world = await setupWorld();
  world.invite();
  const terminal = world.run({
    args: [...SKETCHES, '--run', 'npm', '--payer', 'members'],
    env: {
      PICTURES_URL: 's3://pictures',
      PICTURES_ENDPOINT: NOWHERE,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
  });
  await terminal.answers('The bot’s token', world.token);
  await terminal.answers('Try it now?');
  await terminal.sees('(PICTURES_URL) does not answer');
  terminal.types(KEY.interrupt);
  await terminal.sees('Start it: ');
});

test('after the last port one that is free is proposed; a port that is kept asks what now', async () => {
  const taken = createServer();
  // Whoever else listens there takes it as well.
  await new Promise((resolve) => taken.on('error', resolve).listen(65_535, '127.0.0.1', () => resolve(true)));
  onTestFinished(() => void taken.close());
  const world = await setupWorld({ settings: 'SERVICE_PORT=65535\n' });
  world.invite();
  const terminal = world.run({
    args: [...SKETCHES, '--run', 'npm', '--payer', 'members'],
    env: { SERVICE_PORT: '65535' },
  });
  await terminal.answers('The bot’s token', world.token);
  await terminal.answers('Try it now?');
  await terminal.sees('port 65535 is taken');
  await terminal.answers('Another port for its image service: 0');
  await terminal.answers('SERVICE_PORT is 65535. Replace it by 0?', KEY.right);
  await terminal.sees('What now?');
  await terminal.answers('Go on without');
  await terminal.sees('Another port');
  terminal.types(KEY.interrupt);
  await terminal.sees('Stopped');
  expect(await terminal.ended).toBe(130);
  expect(await world.read()).toMatchObject({ SERVICE_PORT: '65535' });
});

test('where .env cannot be written, it is written again once it can, and nothing is lost', async () => {
  const world = await setupWorld({ settings: 'RETENTION_DAYS=30\n' });
  await mkdir(`${world.path}.bak`);
  const terminal = world.run({ args: SKETCHES });
  await terminal.sees('cannot be written, and is as it was');
  await terminal.sees('Write it again?');
  await rm(`${world.path}.bak`, { recursive: true });
  terminal.types(KEY.enter);
  await terminal.sees('The bot’s token');
  expect(await world.read()).toEqual({
    RETENTION_DAYS: '30',
    SECRET_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('a line of .env that is no setting is named, and the file is read again once it is mended', async () => {
  const settings = 'LOG_LEVEL=loud\nDISCORD_TOKEN a.b.c\n';
  const world = await setupWorld({ settings });
  const terminal = world.run({ args: SKETCHES, language: 'de_DE.UTF-8' });
  await terminal.sees('Zeile 2 von');
  await terminal.sees('Noch einmal lesen?');
  expect(await readFile(world.path, 'utf8')).toBe(settings);
  await writeFile(world.path, 'LOG_LEVEL=debug\nRETENTION_DAYS=30\n');
  terminal.types(KEY.enter);
  await terminal.sees('Das Token des Bots');
  expect(await world.read()).toMatchObject({ LOG_LEVEL: 'debug', RETENTION_DAYS: '30' });
  expect(terminal.output()).not.toContain('a.b.c');
});

test('whoever would not mend a line of .env has it as it was', async () => {
  const settings = 'DISCORD_TOKEN a.b.c\n';
  const world = await setupWorld({ settings });
  const terminal = world.run();
  await terminal.answers('Read it again?', KEY.right);
  await terminal.sees('Stopped');
  expect(await terminal.ended).toBe(130);
  expect(await readFile(world.path, 'utf8')).toBe(settings);
});

test('where the account that pays cannot be made, who pays is asked again', async () => {
  const world = await setupWorld();
  world.invite();
  const database = join(dirname(world.path), 'data', 'service.sqlite');
  await mkdir(database, { recursive: true });
  const terminal = world.run({ args: [...SKETCHES, '--no-try', '--run', 'npm'] });
  await terminal.answers('The bot’s token', world.token);
  await terminal.answers('Who pays?');
  await terminal.sees('The account cannot be made.');
  await terminal.sees('Who pays?');
  await rm(database, { recursive: true });
  terminal.types(KEY.enter);
  await terminal.sees('its key pays');
  await terminal.sees('darkroom start');
});

test('a ComfyUI without the model says so, and another answer can be given', async () => {
  const world = await setupWorld();
  const comfy = await createFakeComfy({ models: { checkpoints: [] } });
  const terminal = world.run({ language: 'de_DE.UTF-8', args: ['--comfyui-url', comfy.url] });
  await terminal.sees('Es gibt kein Probebild');
  await terminal.sees('die Server haben gar keines');
  await terminal.answers('Noch einmal wählen');
  await terminal.sees('Wer zeichnet die Bilder?');
});

test('a server that does not accept the key says so, and the key can be given again', async () => {
  const world = await setupWorld();
  const openai = await createFakeOpenai();
  const terminal = world.run({
    args: ['--picture'],
    env: {
      HOSTED_MODEL: 'openai-compatible:sd-turbo',
      HOSTED_BASE_URL: openai.baseUrl,
      HOSTED_API_KEY: 'sk-of-nobody',
    },
  });
  await terminal.sees('This server does not accept the key');
  await picks(6, terminal);
  await terminal.answers('Which provider?', KEY.up);
  await terminal.answers('Its address:', `,${openai.baseUrl}`);
  await terminal.answers('Only one address can be given here', KEY.deleteLine, openai.url);
  await terminal.answers('Its key');
  await terminal.sees('This server wants a key');
  await terminal.answers('Type another key');
  await terminal.answers('Its key', 'sk-of-nobody');
  await terminal.sees('This server does not accept the key');
  await terminal.answers('Type another key', KEY.up);
  await picks(6, terminal);
  await terminal.answers('Which provider?', KEY.up);
  await terminal.answers(openai.baseUrl);
  await terminal.answers('Its key', OPENAI_KEY);
  await terminal.answers('sd-turbo');
  await terminal.sees('unset HOSTED_API_KEY');
  await terminal.sees('The test picture is');
  for (const key of [OPENAI_KEY, 'sk-of-nobody']) expect(terminal.output()).not.toContain(key);
});

test.each(['en_US.UTF-8', 'de_DE.UTF-8'])(
  'a ComfyUI behind a password is said to be asked without one: %s',
  async (language) => {
    const { pictures } = wordsIn(language);
    const world = await setupWorld();
    const server = createServer((_, response) => response.writeHead(401).end());
    const url = `http://127.0.0.1:${await listen(server)}`;
    onTestFinished(() => void server.close());
    const terminal = world.run({ language, args: ['--comfyui-url', url] });
    await terminal.sees(pictures.needsPassword.comfyui(url));
    await terminal.sees(pictures.question);
  },
);

test('of a service that nobody reaches that is said once, before a picture is asked for', async () => {
  const world = await setupWorld();
  const env = { IMAGE_API_URL: NOWHERE, IMAGE_API_KEY: `sk-${'0'.repeat(48)}` };
  const terminal = world.run({ args: ['--picture'], env });
  await terminal.sees('service: no good answer (unreachable)');
  await terminal.sees('key: not looked at');
  await terminal.sees('Choose again');
  expect(terminal.output().match(/no good answer/g)).toHaveLength(1);
});

test('while a test picture is tried again that is said, and Ctrl-C asks what now', async () => {
  const world = await setupWorld();
  const openai = await createFakeOpenai();
  const noCredit = openaiRefusal(429, 'insufficient_quota', 'You exceeded your current quota.');
  openai.answer(...Array.from({ length: 100 }, () => noCredit));
  const terminal = world.run({
    columns: 40,
    args: ['--picture'],
    env: {
      HOSTED_MODEL: 'openai-compatible:sd-turbo',
      HOSTED_BASE_URL: openai.baseUrl,
      HOSTED_API_KEY: OPENAI_KEY,
    },
  });
  await terminal.sees('does not draw on the credit of this service any more.');
  await terminal.sees('Ctrl-C ends the wait for it.');
  terminal.types(KEY.interrupt);
  await terminal.sees('you have ended the wait for it.');
  await terminal.answers('Choose again');
  await terminal.sees('Who draws the pictures?');
});

test('what a log says without a full stop is a sentence in a terminal', async () => {
  const world = await setupWorld();
  const terminal = world.run({
    columns: 80,
    args: ['--picture'],
    env: { AI_HORDE_KEY: 'a-key', AI_HORDE_URL: NOWHERE },
  });
  await terminal.sees('Check AI_HORDE_URL if that goes on. Ctrl-C ends the wait for it.');
  terminal.types(KEY.interrupt);
  await terminal.sees(wordsIn('en').pictures.next);
});

test('a value that no file of settings can hold is said to be one, and another is asked for', async () => {
  const world = await setupWorld();
  const openai = await createFakeOpenai();
  const terminal = world.run({
    args: ['--no-picture'],
    env: {
      HOSTED_MODEL: `openai-compatible:a'b"c\`#d`,
      HOSTED_BASE_URL: openai.baseUrl,
      HOSTED_API_KEY: OPENAI_KEY,
    },
  });
  await terminal.sees('The value of HOSTED_MODEL cannot be written into a file of settings');
  await chooseSketches(terminal);
  await terminal.sees('The bot’s token');
  expect(terminal.reads()).not.toContain('Write it again?');
});

test.each([
  { from: 'comfyui', fromBelow: 4 },
  { from: 'sdwebui', fromBelow: 3 },
  { from: 'service', fromBelow: 2 },
  { from: 'hosted', fromBelow: 6 },
] as const)('a name and a password in an address of $from are refused as it takes them', async (one) => {
  const world = await setupWorld();
  const terminal = world.run();
  await picks(one.fromBelow, terminal);
  if (one.from === 'hosted') {
    await terminal.answers('Which provider?', KEY.up);
  }
  await terminal.answers('Its address:', 'http://me:secret@127.0.0.1:9');
  await terminal.sees(wordsIn('en').pictures.inAddress[one.from]);
});

test('a key that the image service does not take is said before a picture is paid', async () => {
  const world = await setupWorld();
  const service = await serviceWorld();
  const terminal = world.run({
    env: { IMAGE_API_URL: service.url, IMAGE_API_KEY: `sk-${'0'.repeat(48)}` },
  });
  await terminal.sees('the service does not accept IMAGE_API_KEY');
  await terminal.answers('Choose again');
  await terminal.sees('Who draws the pictures?');
  expect(terminal.reads()).not.toContain('Draw a test picture?');
});

test('what answers nonsense is said to draw nothing, and its address can be mended', async () => {
  const world = await setupWorld();
  const url = await nonsense();
  const terminal = world.run({ args: ['--sdwebui-url', url] });
  await terminal.sees(`${url} answers, but not as a WebUI does. Start it with --api`);
  await picks(3, terminal);
  await terminal.sees('Its address:');
  await terminal.answers(url, '/sd');
  await terminal.sees(`${url}/sd answers, but not as a WebUI does`);
});

test('a server that does not speak as OpenAI is said not to, before its model is asked for', async () => {
  const world = await setupWorld();
  const openai = await createFakeOpenai();
  const terminal = world.run({ args: ['--no-picture'] });
  await picks(6, terminal);
  await terminal.answers('Which provider?', KEY.up);
  for (const [typed, said] of [
    [NOWHERE, 'Nothing that draws answers at'],
    [await nonsense(), 'answers, but not as OpenAI does'],
  ] as const) {
    await terminal.answers('Its address:', KEY.deleteLine, typed);
    await terminal.answers('Its key');
    await terminal.sees(said);
    await terminal.answers('Type another address');
  }
  await terminal.answers('Its address:', KEY.deleteLine, openai.url);
  await terminal.answers('Its key', OPENAI_KEY);
  await terminal.sees('Which model?');
});

test('what a setting cannot hold is refused as it is typed', async () => {
  const world = await setupWorld();
  const terminal = world.run();
  await picks(6, terminal);
  await terminal.answers('Which provider?');
  await terminal.answers('Which model?', KEY.deleteLine, `a'b"c\`#d`);
  await terminal.answers(
    'The value of HOSTED_MODEL cannot be written into a file of settings',
    KEY.deleteLine,
    'gpt-image-2.6-flare',
  );
  await terminal.answers('Its key', 'my secret');
  await terminal.answers('HOSTED_API_KEY: expected a key of the provider, without spaces');
  await terminal.sees('Paste the key');
  expect(terminal.output()).not.toContain('my secret');
});

test('a token that is pasted too early is not shown, and Ctrl-C ends the wait', async () => {
  const world = await setupWorld();
  const terminal = world.run({ args: SKETCHES });
  await terminal.answers('The bot’s token', world.token);
  await terminal.sees('Ctrl-C goes on without');
  await terminal.answers('Waiting until it is in a server', world.token);
  await terminal.sees('Waiting until it is in a server');
  terminal.types(KEY.interrupt);
  await terminal.sees('What now?');
  expect(terminal.output()).not.toContain(world.token);
  terminal.types(KEY.up, KEY.enter);
  await terminal.sees('How will the bot run?');
});

test('an answer without a picture is not called one', async () => {
  const world = await setupWorld();
  world.invite();
  const openai = await createFakeOpenai();
  const refused = openaiRefusal(400, 'bad_request', 'No foxes here.');
  openai.answer(refused, refused);
  const terminal = world.run({
    args: ['--picture', '--run', 'npm', '--payer', 'bot'],
    env: {
      HOSTED_MODEL: 'openai-compatible:sd-turbo',
      HOSTED_BASE_URL: openai.baseUrl,
      HOSTED_API_KEY: OPENAI_KEY,
    },
  });
  await terminal.sees('There is no test picture: The server of HOSTED_BASE_URL refused this: No foxes here.');
  expect(terminal.reads()).not.toContain('task failed');
  await terminal.answers('Keep it all the same', KEY.up);
  await terminal.answers('The bot’s token', world.token);
  await terminal.answers('Try it now?');
  await terminal.sees('The bot is on Discord');
  await world.discord.as(MEMBER).invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  await terminal.sees('The bot has answered, but without a picture');
  await terminal.sees('What now?');
});

test('a file of settings that cannot be read is read again once it can', async () => {
  const world = await setupWorld();
  await mkdir(world.path);
  const terminal = world.run({ args: SKETCHES, language: 'de_DE.UTF-8' });
  await terminal.sees('ist nicht zu lesen');
  await terminal.sees('Noch einmal lesen?');
  await rm(world.path, { recursive: true });
  terminal.types(KEY.enter);
  await terminal.sees('Das Token des Bots');
});

test('an engine that the environment names goes on drawing after another choice, which is said', async () => {
  const world = await setupWorld();
  await writeFile(world.path, 'RETENTION_DAYS=30\n');
  const terminal = world.run({ args: ['--no-picture'], env: { COMFYUI_URL: NOWHERE } });
  await terminal.sees('Nothing that draws answers');
  await chooseSketches(terminal);
  await terminal.sees('The environment of this terminal sets COMFYUI_URL as well');
  await terminal.sees('unset COMFYUI_URL');
  await terminal.sees('The bot’s token');
});

test('Ctrl-C while a key is tried stops, and the key is nowhere', async () => {
  const { read, run } = await setupWorld();
  const key = 'key-of-somebody';
  let onAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const silent = createServer(({ headers }) => {
    if (headers.authorization === `Bearer ${key}`) onAsked();
  });
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const port = await listen(silent);
  const terminal = run({ args: ['--no-picture'] });
  await picks(6, terminal);
  await terminal.answers('Which provider?', KEY.up);
  await terminal.answers('Its address:', `http://127.0.0.1:${port}`);
  await terminal.answers('Its key', key);
  await asked;
  terminal.types(KEY.interrupt);
  await terminal.sees('Stopped.');
  expect(await terminal.ended).toBe(130);
  expect(terminal.output()).not.toContain(key);
  expect(await read()).toEqual({});
});

test('in containers an address that somebody keeps stays, and the database has its password', async () => {
  const comfy = await createFakeComfy();
  const { token, read, run, invite } = await setupWorld({ settings: `COMFYUI_URL=${comfy.url}\n` });
  invite();
  const terminal = run({ args: ['--no-picture', '--run', 'docker'] });
  await terminal.answers('The bot’s token', token);
  await terminal.answers(`COMFYUI_URL is ${comfy.url}. Replace it by`, KEY.right);
  await terminal.sees('docker compose up -d --build');
  await terminal.ended;
  expect(await read()).toMatchObject({
    COMFYUI_URL: comfy.url,
    POSTGRES_PASSWORD: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});
