import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SHORT_RUN, startCommand } from '@darkroom/testing';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  seesOutcome,
  smallWorld,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { type Words, wordsIn } from '../../src/operator/words/words.ts';
import { DARKROOM } from './start-darkroom.ts';
import { KEY, runInTerminal, type TerminalProgram } from './terminal.ts';

export type SetupWorld = Awaited<ReturnType<typeof openSetupWorld>>;

/** A folder with these settings, a Discord whose bot is in no server, and `darkroom setup` in a terminal there. */
export async function openSetupWorld({ settings }: { settings?: string } = {}) {
  const local = await startLocalDiscord({
    world: {
      ...smallWorld,
      guilds: (smallWorld.guilds ?? []).map((guild) => ({
        ...guild,
        members: (guild.members ?? []).filter(({ userId }) => userId !== BOT),
      })),
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-setup-'));
  const path = join(folder, '.env');
  if (settings !== undefined) await writeFile(path, settings, { mode: 0o600 });
  const programs: TerminalProgram[] = [];
  return {
    discord: local.discord,
    token: local.discord.token(),
    path,
    read: async () => parseEnv(await readFile(path, 'utf8').catch(() => '')),
    run({
      args = [],
      columns = 80,
      rows,
      language = 'en_US.UTF-8',
      env = {},
    }: {
      args?: string[];
      columns?: number;
      rows?: number;
      language?: string;
      env?: Readonly<Record<string, string>>;
    } = {}) {
      const program = runInTerminal([DARKROOM, 'setup', ...args], {
        cwd: folder,
        env: {
          HOME: folder,
          LANG: language,
          DISCORD_API_URL: local.address.apiUrl,
          SERVICE_PORT: '0',
          ...env,
        },
        columns,
        rows,
      });
      programs.push(program);
      return program;
    },
    invite: () => local.discord.world.addMember(GUILD, BOT, [BOT_ROLE]),
    async close() {
      await Promise.all(programs.map((program) => program.kill()));
      await local.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A folder, a Discord whose bot is in a server, and `darkroom setup` there without a terminal. */
export async function openUnattendedWorld() {
  const local = await startLocalDiscord();
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-setup-'));
  const programs: ReturnType<typeof startCommand>[] = [];
  return {
    folder,
    token: local.discord.token(),
    settings: async () => parseEnv(await readFile(join(folder, '.env'), 'utf8').catch(() => '')),
    async run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      const program = startCommand(
        [process.execPath, ...SHORT_RUN, DARKROOM, 'setup', ...args],
        { HOME: folder, LANG: 'C', DISCORD_API_URL: local.address.apiUrl, SERVICE_PORT: '0', ...env },
        { cwd: folder },
      );
      programs.push(program);
      const { code } = await program.ended;
      return { code, output: program.output() };
    },
    async close() {
      for (const { child } of programs) child.kill('SIGKILL');
      await local.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Picks one of the places where pictures come from, by its number from below: whatever is found on this machine
 * stands above.
 */
export async function picks(
  fromBelow: number,
  terminal: TerminalProgram,
  { pictures }: Words = wordsIn('en'),
): Promise<void> {
  await terminal.sees(pictures.question);
  await terminal.answers(pictures.sketch, ...Array.from({ length: fromBelow }, () => KEY.up));
}

export const chooseSketches = (terminal: TerminalProgram): Promise<void> => picks(1, terminal);

/** Answers everything, from nothing to a picture in the chat. */
export async function answerEverything(world: SetupWorld, terminal: TerminalProgram): Promise<void> {
  await chooseSketches(terminal);
  await terminal.sees('Pictures are sketches for now');
  await terminal.sees('data/test-picture.png');
  await terminal.answers('The bot’s token', BOT);
  await terminal.answers('this is the id of an application, not its token', world.token);
  await terminal.sees('Discord knows the token');
  await terminal.sees(`client_id=${BOT}`);
  world.invite();
  await terminal.sees('It is in “First”');
  await terminal.sees('commands are registered');
  await terminal.answers('How will the bot run?');
  await terminal.answers('Who pays?');
  await terminal.sees('its key pays');
  await terminal.answers('Try it now?');
  await terminal.sees('The bot is on Discord');
  const member = world.discord.as(MEMBER);
  const answer = messageOf(await member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }));
  const { attachments } = await seesOutcome(member, answer.id);
  if (attachments.length !== 1) throw new Error(`${attachments.length} pictures came`);
  await terminal.sees('The picture is in the channel');
  await terminal.sees('Start it: ');
}
