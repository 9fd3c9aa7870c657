import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AS_ON_WINDOWS, NOWHERE } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { wordsIn } from '../../src/operator/words/words.ts';
import { acquireStoreLock } from '../../src/storage/store-lock.ts';
import { answerEverything, chooseSketches, openSetupWorld } from '../support/setup-world.ts';
import { KEY } from '../support/terminal.ts';

async function setupWorld(options?: { settings: string }) {
  const world = await openSetupWorld(options);
  onTestFinished(world.close);
  return world;
}

test('from nothing to a picture in the chat, by what it asks alone', async () => {
  const world = await setupWorld();
  const terminal = world.run();
  await answerEverything(world, terminal);
  expect(await terminal.ended).toBe(0);
  const settings = await world.read();
  expect(settings).toMatchObject({
    DISCORD_TOKEN: world.token,
    IMAGE_API_KEY: expect.stringMatching(/^sk-/),
  });
  expect((await stat(world.path)).mode & 0o777).toBe(0o600);
  for (const name of ['DISCORD_TOKEN', 'IMAGE_API_KEY', 'SECRET_KEY'])
    expect(terminal.output()).not.toContain(settings[name]);
});

test('to run by systemd is offered on Linux alone', async () => {
  const { token, run, invite } = await setupWorld();
  invite();
  for (const [system, NODE_OPTIONS] of [
    ['Linux', ''],
    ['Windows', AS_ON_WINDOWS],
  ] as const) {
    const terminal = run({
      args: ['--sketch', '--no-picture', '--no-try'],
      env: { NODE_OPTIONS, DISCORD_TOKEN: token },
    });
    await terminal.sees('How will the bot run?');
    await terminal.sees('Docker Compose');
    expect(terminal.reads().includes('systemd'), system).toBe(system === 'Linux');
    await terminal.kill();
  }
});

test('that the bot is in no server is said once where nobody waits any longer', async () => {
  const { token, run } = await setupWorld();
  const hurried =
    'const { now } = Date; const start = now(); Date.now = () => start + 1_000 * (now() - start);';
  const terminal = run({
    args: ['--sketch', '--no-picture', '--no-try', '--run', 'npm'],
    env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hurried)}` },
  });
  await terminal.answers('The bot’s token', token);
  const { notIn } = wordsIn('en').discord;
  await terminal.sees(notIn);
  await terminal.answers('Wait again', KEY.down);
  await terminal.sees('commands are registered');
  expect(terminal.reads().split(notIn)).toHaveLength(2);
  await terminal.kill();
});

test('on German and 40 columns, Ctrl-C stops, and what was answered is asked no more', async () => {
  const { token, read, run, invite } = await setupWorld();
  invite();
  const first = run({ columns: 40, language: 'de_DE.UTF-8', args: ['--sketch', '--no-picture'] });
  await first.sees('Das Token des Bots');
  first.types(token, KEY.enter);
  await first.sees('Wie soll der Bot laufen?');
  first.types(KEY.interrupt);
  await first.sees('Angehalten');
  expect(await first.ended).toBe(130);
  expect(await read()).toMatchObject({ DISCORD_TOKEN: token });

  const second = run({
    columns: 40,
    language: 'de_DE.UTF-8',
    args: ['--sketch', '--no-picture', '--no-try', '--run', 'npm'],
  });
  await second.sees('Discord kennt das Token');
  await second.sees('Wer bezahlt?');
  second.types(KEY.enter);
  await second.sees('sein Schlüssel bezahlt');
  await second.sees('Datenbank: ');
  expect(await second.ended).toBe(0);
  expect(second.reads()).not.toContain('Das Token des Bots');
});

test('sketches that were chosen are shown and asked no more, until somebody would choose again', async () => {
  const { run } = await setupWorld();
  const first = run({ args: ['--no-picture'] });
  await chooseSketches(first);
  await first.sees('The bot’s token');
  await first.kill();

  const second = run({ args: ['--no-picture'] });
  await second.sees('Pictures are sketches for now');
  await second.sees('darkroom setup --choose');
  await second.sees('The bot’s token');
  expect(second.reads()).not.toContain('Who draws the pictures?');
  await second.kill();

  const third = run({ args: ['--no-picture', '--choose'] });
  await third.sees('Who draws the pictures?');
});

test('what stands in the file already is shown before it is replaced, and kept where somebody says no', async () => {
  const { token, read, run, invite } = await setupWorld({
    settings: `# mine\nCOMFYUI_URL=${NOWHERE}\nLOG_LEVEL=debug\n`,
  });
  invite();
  const terminal = run({ args: ['--no-picture'] });
  await terminal.sees(`Nothing that draws answers at ${NOWHERE}`);
  await chooseSketches(terminal);
  await terminal.answers(`COMFYUI_URL is ${NOWHERE}. Replace it by nothing?`, KEY.right);
  await chooseSketches(terminal);
  await terminal.answers('Replace it by nothing?');
  await terminal.answers('The bot’s token', token);
  await terminal.sees('How will the bot run?');
  expect(await read()).toMatchObject({ COMFYUI_URL: '', LOG_LEVEL: 'debug', DISCORD_TOKEN: token });
});

test('settings that no program starts with are named, and taken away where somebody agrees', async () => {
  const { read, run } = await setupWorld({
    settings: 'LOG_LEVEL=loud\nDISCORD_TOKEN=300000000000000001\nRETENTION_DAYS=30\n',
  });
  const terminal = run({ args: ['--sketch', '--no-picture'] });
  await terminal.sees('2 settings are wrong');
  await terminal.answers('DISCORD_TOKEN is a value that is not shown. Replace it by nothing?');
  await terminal.answers('LOG_LEVEL is loud. Replace it by nothing?');
  await terminal.sees('The bot’s token');
  expect(await read()).toMatchObject({ DISCORD_TOKEN: '', LOG_LEVEL: '', RETENTION_DAYS: '30' });
});

test('what is missing for a setting is asked for or made, and the setting stays', async () => {
  const store = { STORE_URL: 'postgres://127.0.0.1:1/nowhere' };
  const { read, run } = await setupWorld({
    settings: `STORE_URL=${store.STORE_URL}\nHOSTED_MODEL=openai-compatible:sd-turbo\n`,
  });
  const terminal = run({ args: ['--no-picture'] });
  await terminal.sees('HOSTED_BASE_URL: missing');
  await chooseSketches(terminal);
  await terminal.answers('HOSTED_MODEL is openai-compatible:sd-turbo. Replace it by nothing?');
  await terminal.sees('A secret that seals keys and tokens on the disk is made');
  await terminal.sees('The bot’s token');
  expect(await read()).toEqual({
    ...store,
    HOSTED_MODEL: '',
    SECRET_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('a wrong value that is not the file’s is not taken away there, but to be mended where it is set', async () => {
  const { read, run } = await setupWorld({ settings: 'LOG_LEVEL=debug\n' });
  const terminal = run({ args: ['--sketch', '--no-picture'], env: { LOG_LEVEL: 'loud' } });
  await terminal.sees('LOG_LEVEL: expected');
  await terminal.sees('Mend these settings where they are set');
  expect(await terminal.ended).toBe(1);
  expect(await read()).toEqual({ LOG_LEVEL: 'debug' });
});

test.each([
  { columns: 80, language: 'en_US.UTF-8' },
  { columns: 40, language: 'de_DE.UTF-8' },
])(
  'killed at any question in $columns columns of $language, it leaves whole settings, and begins again where it was',
  async ({ columns, language }) => {
    const { token, read, invite, ...world } = await setupWorld();
    const { pictures, discord, run: way, payer, trying } = wordsIn(language);
    const run = ({ args }: { args: string[] }) => world.run({ args, columns, language });
    // In a narrow terminal its end is cut off.
    const waiting = discord.waiting.slice(0, 16);
    const sketching = () => run({ args: ['--sketch', '--no-picture'] });

    const atPictures = run({ args: ['--no-picture'] });
    await atPictures.sees(pictures.question);
    await atPictures.kill();
    expect(await read()).toEqual({});

    const atToken = sketching();
    await atToken.sees(discord.token);
    await atToken.kill();
    const secret = (await read()).SECRET_KEY;
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const settled = { SECRET_KEY: secret, DISCORD_TOKEN: token };

    const atInvitation = sketching();
    await atInvitation.sees(discord.token);
    atInvitation.types(token, KEY.enter);
    await atInvitation.sees(waiting);
    await atInvitation.sees(waiting);
    await atInvitation.kill();
    expect(await read()).toEqual(settled);

    invite();
    const atWay = sketching();
    await atWay.sees(way.question);
    await atWay.kill();
    expect(await read()).toEqual(settled);

    const atPayer = sketching();
    await atPayer.sees(way.question);
    atPayer.types(KEY.enter);
    await atPayer.sees(payer.question);
    await atPayer.kill();
    expect(await read()).toEqual(settled);

    const atTrial = sketching();
    await atTrial.sees(way.question);
    atTrial.types(KEY.enter);
    await atTrial.sees(payer.question);
    atTrial.types(KEY.enter);
    await atTrial.sees(trying.question);
    await atTrial.kill();
    const { IMAGE_API_KEY: key, ...others } = await read();
    expect(key).toMatch(/^sk-/);
    expect(others).toEqual(settled);

    const whole = run({ args: ['--sketch', '--no-picture', '--no-try', '--run', 'npm'] });
    await whole.sees(payer.isSet);
    expect(await whole.ended).toBe(0);
    for (const question of [discord.token, payer.question]) expect(whole.reads()).not.toContain(question);
    expect(await read()).toEqual({ ...settled, IMAGE_API_KEY: key });
  },
);

test('while Discord is out of reach the token is kept, and tried again', async () => {
  const { discord, token, read, run, invite } = await setupWorld();
  invite();
  discord.faults.add({ effect: { status: 503 }, every: ({ path }) => path.includes('/applications/@me') });
  const terminal = run({ args: ['--sketch', '--no-picture', '--no-try', '--run', 'npm'] });
  await terminal.answers('The bot’s token', token);
  await terminal.sees('Discord cannot be reached');
  await terminal.sees('Try again with this token');
  discord.faults.clear();
  terminal.types(KEY.enter);
  await terminal.sees('Discord knows the token');
  await terminal.sees('Who pays?');
  expect(await read()).toMatchObject({ DISCORD_TOKEN: token });
});

test('Ctrl-C while the bot starts stops it, and set-up goes on without', async () => {
  const { token, path, run, invite } = await setupWorld();
  invite();
  const terminal = run({ args: ['--sketch', '--no-picture', '--run', 'npm', '--payer', 'members'] });
  await terminal.answers('The bot’s token', token);
  await terminal.sees('Try it now?');
  // As long as another process has the store, the bot waits for it to end.
  const { release } = await acquireStoreLock({ path: join(dirname(path), 'data', 'darkroom.sqlite') });
  terminal.types(KEY.enter);
  await terminal.sees('Starting the bot');
  terminal.types(KEY.interrupt);
  await terminal.sees('^C');
  await release();
  await terminal.sees('darkroom start');
  await terminal.ended;
  expect(terminal.reads()).not.toContain('The bot is on Discord');
});
