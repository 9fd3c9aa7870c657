import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess, until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import {
  MEMBER,
  OUTSIDER,
  SECOND_CHANNEL,
  startLocalDiscord,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { copyFixture, messageIdOf, secrets } from './fixture.ts';

test('npm start goes on with the files of 0.1.0 where they lie', async () => {
  const folder = await copyFixture();
  await mkdir(join(folder, 'data'));
  for (const name of ['darkroom.sqlite', 'service.sqlite', 'pictures'])
    await rename(join(folder, name), join(folder, 'data', name));
  const { discord, address, close, register } = await startLocalDiscord({
    clock: systemClock,
    world: worldWhere(OUTSIDER, 'de'),
    stateFolder: join(folder, 'discord'),
  });
  onTestFinished(close);
  await register(...commands.map(({ data }) => data));
  const member = discord.as(MEMBER);

  const start = () => {
    const program = startProcess(
      new URL('../../dist/src/main.js', import.meta.url),
      {
        DISCORD_TOKEN: discord.token(),
        DISCORD_API_URL: address.apiUrl,
        IMAGE_API_KEY: secrets.operatorKey,
        SECRET_KEY: [...secrets.vaultKeys.bot, ...secrets.vaultKeys.service].join(','),
        SERVICE_PORT: '0',
      },
      { cwd: folder },
    );
    onTestFinished(() => void program.child.kill('SIGKILL'));
    return program;
  };

  const first = start();
  await first.says('the bot is on Discord');
  expect(first.output()).toContain('"jobs":8');
  await until(
    () => member.message(secrets.jobs.posted.replyId)?.content.includes(messageIdOf('posted')),
    'a reply that says where its picture is',
  );
  expect((await member.invoke(SECOND_CHANNEL, 'jobs')).kind).toBe('message');
  expect(await first.end()).toMatchObject({ code: 0 });

  const second = start();
  await second.says('the bot is on Discord');
  expect((await member.invoke(SECOND_CHANNEL, 'jobs')).kind).toBe('message');
  expect(await second.end()).toMatchObject({ code: 0 });
});
