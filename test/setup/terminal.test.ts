import { stat } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
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
  expect(await second.ended).toBe(0);
  expect(second.reads()).not.toContain('Das Token des Bots');
});

test('what stands in the file already is shown before it is replaced, and kept where somebody says no', async () => {
  const { token, read, run, invite } = await setupWorld({
    settings: '# mine\nCOMFYUI_URL=http://127.0.0.1:9\nLOG_LEVEL=debug\n',
  });
  invite();
  const terminal = run({ args: ['--no-picture'] });
  await terminal.sees('Nothing that draws answers at http://127.0.0.1:9');
  await chooseSketches(terminal);
  await terminal.sees('COMFYUI_URL is http://127.0.0.1:9. Replace it by nothing?');
  terminal.types(KEY.right, KEY.enter);
  await chooseSketches(terminal);
  await terminal.sees('Replace it by nothing?');
  terminal.types(KEY.enter);
  await terminal.sees('The bot’s token');
  terminal.types(token, KEY.enter);
  await terminal.sees('How will the bot run?');
  expect(await read()).toMatchObject({ COMFYUI_URL: '', LOG_LEVEL: 'debug', DISCORD_TOKEN: token });
});

test('killed at any question, it leaves whole settings, and begins again where it was', async () => {
  const { token, read, run, invite } = await setupWorld();
  const sketching = () => run({ args: ['--sketch', '--no-picture'] });

  const atPictures = run({ args: ['--no-picture'] });
  await atPictures.sees('Who draws the pictures?');
  await atPictures.kill();
  expect(await read()).toEqual({});

  const atToken = sketching();
  await atToken.sees('The bot’s token');
  await atToken.kill();
  const secret = (await read()).SECRET_KEY;
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  const settled = { SECRET_KEY: secret, DISCORD_TOKEN: token };

  const atInvitation = sketching();
  await atInvitation.sees('The bot’s token');
  atInvitation.types(token, KEY.enter);
  await atInvitation.sees('Waiting until it is in a server');
  await atInvitation.sees('Waiting until it is in a server');
  await atInvitation.kill();
  expect(await read()).toEqual(settled);

  invite();
  const atWay = sketching();
  await atWay.sees('How will the bot run?');
  await atWay.kill();
  expect(await read()).toEqual(settled);

  const atPayer = sketching();
  await atPayer.sees('How will the bot run?');
  atPayer.types(KEY.enter);
  await atPayer.sees('Who pays?');
  await atPayer.kill();
  expect(await read()).toEqual(settled);

  const atTrial = sketching();
  await atTrial.sees('How will the bot run?');
  atTrial.types(KEY.enter);
  await atTrial.sees('Who pays?');
  atTrial.types(KEY.enter);
  await atTrial.sees('Try it now?');
  await atTrial.kill();
  const { IMAGE_API_KEY: key, ...others } = await read();
  expect(key).toMatch(/^sk-/);
  expect(others).toEqual(settled);

  const whole = run({ args: ['--sketch', '--no-picture', '--no-try', '--run', 'npm'] });
  await whole.sees('IMAGE_API_KEY pays for everybody');
  expect(await whole.ended).toBe(0);
  expect(whole.reads()).not.toMatch(/The bot’s token|Who pays\?/);
  expect(await read()).toEqual({ ...settled, IMAGE_API_KEY: key });
});

test('while Discord is out of reach the token is kept, and tried again', async () => {
  const { discord, token, read, run, invite } = await setupWorld();
  invite();
  discord.faults.add({ effect: { status: 503 }, every: ({ path }) => path.includes('/applications/@me') });
  const terminal = run({ args: ['--sketch', '--no-picture', '--no-try', '--run', 'npm'] });
  await terminal.sees('The bot’s token');
  terminal.types(token, KEY.enter);
  await terminal.sees('Discord cannot be reached');
  await terminal.sees('Try again with this token');
  discord.faults.clear();
  terminal.types(KEY.enter);
  await terminal.sees('Discord knows the token');
  await terminal.sees('Who pays?');
  expect(await read()).toMatchObject({ DISCORD_TOKEN: token });
});
