import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contents, expectNoSecrets } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeOpenai, OPENAI_KEY } from '../../packages/image-service/test/support/fake-openai.ts';
import { openSetupWorld, picks } from '../support/setup-world.ts';
import { KEY } from '../support/terminal.ts';

test('a crash leaves no secret in the terminal, nor in the report that Node writes of it', async () => {
  const world = await openSetupWorld({ settings: `HOSTED_API_KEY=${OPENAI_KEY}\n` });
  onTestFinished(world.close);
  const openai = await createFakeOpenai();
  const reports = join(dirname(world.path), 'reports');
  await mkdir(reports);
  const bomb = join(dirname(world.path), 'bomb.mjs');
  await writeFile(bomb, `process.on('SIGUSR2', () => { throw new Error('a bug'); });`);
  const terminal = world.run({
    args: ['--no-picture', '--choose'],
    env: { NODE_OPTIONS: `--report-uncaught-exception --report-directory=${reports} --import=${bomb}` },
  });
  await picks(6, terminal);
  await terminal.answers('Which provider?', KEY.up);
  await terminal.answers('Its address:', openai.url);
  await terminal.answers('Its key', OPENAI_KEY);
  await terminal.answers('Which model?', 'sd-turbo');
  await terminal.sees('The bot’s token');
  terminal.types(world.token);
  await terminal.sees('▪▪▪');
  terminal.signal('SIGUSR2');
  await terminal.sees('a bug');
  expect(await terminal.ended).not.toBe(0);
  expect(await readdir(reports)).toHaveLength(1);
  const { SECRET_KEY = '' } = await world.read();
  expect(SECRET_KEY).not.toBe('');
  expectNoSecrets([OPENAI_KEY, world.token, SECRET_KEY], {
    terminal: terminal.output(),
    report: await contents(reports),
  });
});

test.runIf(process.platform === 'linux')('no list of processes shows a secret', async () => {
  const world = await openSetupWorld();
  onTestFinished(world.close);
  const terminal = world.run({ args: ['--sketch', '--no-picture', '--payer', 'bot', '--run', 'npm'] });
  world.invite();
  await terminal.answers('The bot’s token', world.token);
  await terminal.answers('Try it now?');
  await terminal.sees('The bot is on Discord');
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const listed = await Promise.all(
    processes.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')),
  );
  const { SECRET_KEY = '', IMAGE_API_KEY = '' } = await world.read();
  expectNoSecrets([world.token, SECRET_KEY, IMAGE_API_KEY], {
    'list of processes': listed.join('\n'),
    terminal: terminal.output(),
  });
});
