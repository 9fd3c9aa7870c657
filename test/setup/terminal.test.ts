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
  invite();
  const atPictures = run({ args: ['--no-picture'] });
  await atPictures.sees('Who draws the pictures?');
  await atPictures.kill();
  expect(await read()).toEqual({});

  const atToken = run({ args: ['--sketch', '--no-picture'] });
  await atToken.sees('The bot’s token');
  await atToken.kill();
  const secret = (await read()).SECRET_KEY;
  expect(secret).toMatch(/^[0-9a-f]{64}$/);

  const atWay = run({ args: ['--sketch', '--no-picture'] });
  await atWay.sees('The bot’s token');
  atWay.types(token, KEY.enter);
  await atWay.sees('How will the bot run?');
  await atWay.kill();
  expect(await read()).toEqual({ SECRET_KEY: secret, DISCORD_TOKEN: token });
});
