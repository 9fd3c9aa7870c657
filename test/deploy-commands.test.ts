import { temporaryFolder } from '@darkroom/testing';
import { ApplicationCommandType, Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../commands/index.ts';
import type { FaultKind } from '../packages/local-discord/src/rest/faults.ts';
import { tooMany } from '../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  GUILD,
  MEMBER,
  OTHER_CHANNEL,
  startLocalDiscord,
} from '../packages/local-discord/test/support/local-discord.ts';
import { calledName, payloadsOf } from '../src/bot/registered-commands.ts';
import { registerCommands } from '../src/operator/register-commands.ts';
import { en } from '../src/operator/words/en.ts';
import { startDarkroom } from './support/start-darkroom.ts';

async function deploy(
  env: (address: { apiUrl: string; token: string }) => Record<string, string>,
  { fault }: { fault?: FaultKind } = {},
) {
  const { discord, address, close } = await startLocalDiscord();
  if (fault) discord.faults.add({ every: ({ method }) => method === 'PUT', effect: fault });
  const program = startDarkroom(['deploy-commands', await temporaryFolder()], {
    DISCORD_API_URL: address.apiUrl,
    ...env({ ...address, token: discord.token() }),
  });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  const { code } = await program.ended;
  return { discord, program, code, close };
}

/** As Discord's tokens begin: the application's id in Base64. */
const tokenLike = `${Buffer.from(BOT).toString('base64')}.wrong.token`;

test('every command that the router runs is registered, and its name printed', async () => {
  const { program, code, close } = await deploy(({ token }) => ({
    DISCORD_TOKEN: token,
    DISCORD_APPLICATION_ID: BOT,
  }));
  const payloads = payloadsOf(commands);
  expect(program.output()).toBe(
    `Discord accepted ${payloads.length} commands everywhere: ${payloads.map(calledName).join(', ')}\n`,
  );
  expect(code).toBe(0);
  await close();
});

test('with DISCORD_GUILD_ID they are registered in that server only', async () => {
  const { discord, program, code, close } = await deploy(({ token }) => ({
    DISCORD_TOKEN: token,
    DISCORD_APPLICATION_ID: BOT,
    DISCORD_GUILD_ID: GUILD,
  }));
  expect(program.output()).toContain(`in server ${GUILD}`);
  expect(code).toBe(0);
  expect(discord.as(MEMBER).commands(OTHER_CHANNEL)).toEqual([]);
  await close();
});

test('`--remove` removes them from where they would be registered, and leaves all others', async () => {
  const { discord, rest, address, close } = await startLocalDiscord();
  for (const guildId of [undefined, GUILD])
    await registerCommands(rest, commands, { applicationId: BOT, guildId, words: en });
  const program = startDarkroom(
    ['deploy-commands', await temporaryFolder()],
    { DISCORD_API_URL: address.apiUrl, DISCORD_TOKEN: discord.token(), DISCORD_GUILD_ID: GUILD },
    { args: ['--remove'] },
  );
  expect(await program.ended).toMatchObject({ code: 0 });
  expect(program.output()).toBe(`The commands of server ${GUILD} are removed; those of everywhere stay.\n`);
  expect(await rest.get(Routes.applicationGuildCommands(BOT, GUILD))).toEqual([]);
  expect(await rest.get(Routes.applicationCommands(BOT))).toHaveLength(payloadsOf(commands).length);
  await close();
});

test('the Entry Point command of an application with Activities stays as it is', async () => {
  const { rest, close } = await startLocalDiscord();
  const entryPoint = { type: ApplicationCommandType.PrimaryEntryPoint, name: 'launch', handler: 2 };
  const made = await rest.post(Routes.applicationCommands(BOT), { body: entryPoint });
  const options = { applicationId: BOT, guildId: undefined, words: en };
  expect(await registerCommands(rest, commands, options)).toEqual(payloadsOf(commands).map(calledName));
  expect(await registerCommands(rest, [], options)).toEqual([]);
  const { id, name } = made as { id: string; name: string };
  expect(await rest.get(Routes.applicationCommands(BOT))).toEqual([expect.objectContaining({ id, name })]);
  await close();
});

test('a token that Discord does not accept is said in one sentence, with exit code 1', async () => {
  const { program, code, close } = await deploy(() => ({ DISCORD_TOKEN: tokenLike }));
  expect(program.output()).toContain('Discord does not accept this token');
  expect(program.output()).not.toContain(tokenLike);
  expect(code).toBe(1);
  await close();
});

test('what Discord refuses is said to be refused, and what to look at', async () => {
  const { program, code, close } = await deploy(({ token }) => ({
    DISCORD_TOKEN: token,
    DISCORD_APPLICATION_ID: BOT,
    DISCORD_GUILD_ID: '999999999999999999',
  }));
  expect(program.output()).toMatch(
    /^Discord has not changed the commands: Discord refuses: .*DISCORD_GUILD_ID/,
  );
  expect(code).toBe(1);
  await close();
});

test.each([
  [
    'en',
    'Discord has not changed the commands: Discord takes no more of this for 60 minutes. Run this again then.\n',
  ],
  [
    'de',
    'Discord hat die Befehle nicht geändert: Discord nimmt davon 60 Minuten lang nichts mehr an. Ruf das hier danach noch einmal auf.\n',
  ],
])('where Discord takes no more commands for an hour, it says so at once: %s', async (LANG, said) => {
  const { discord, program, code, close } = await deploy(
    ({ token }) => ({ DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: BOT, LANG }),
    { fault: tooMany(3600) },
  );
  expect(program.output()).toBe(said);
  expect(code).toBe(1);
  expect(discord.requests.list(({ method }) => method === 'PUT')).toHaveLength(1);
  await close();
});

test('what is no token is said before Discord is asked, with where one is found', async () => {
  const { program, code, close } = await deploy(() => ({ DISCORD_TOKEN: 'abc', DISCORD_GILD_ID: GUILD }));
  expect(program.output()).toContain(
    'DISCORD_TOKEN: not a bot token. On https://discord.com/developers/applications',
  );
  expect(program.output()).toContain(
    'DISCORD_GILD_ID is no setting of Darkroom. Did you mean DISCORD_GUILD_ID?',
  );
  expect(code).toBe(1);
  await close();
});

test('without a token it says so, with exit code 1', async () => {
  const { program, code, close } = await deploy(() => ({}));
  expect(program.output()).toContain('DISCORD_TOKEN: missing');
  expect(code).toBe(1);
  await close();
});
