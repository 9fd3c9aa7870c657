import { messageOf, OperatorError, runMain } from '@darkroom/process';
import { DiscordAPIError, REST, Routes } from 'discord.js';
import { z } from 'zod';
import { commands } from './commands/index.ts';
import { calledName, payloadsOf } from './src/bot/registered-commands.ts';
import { loadConfig } from './src/config.ts';

const registered = z.array(z.looseObject({ name: z.string(), type: z.int().optional() }));

/** Registers `commands/index.ts` with Discord, in one server where `DISCORD_GUILD_ID` names it, and prints what was accepted. */
async function deploy(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(env, { tokenRequired: true });
  const { DISCORD_TOKEN: token } = config;
  const applicationId = config.DISCORD_APPLICATION_ID ?? applicationIdOf(token);
  const guildId = config.DISCORD_GUILD_ID;
  const rest = new REST({ api: config.DISCORD_API_URL, version: '10' }).setToken(token);
  const route =
    guildId === undefined
      ? Routes.applicationCommands(applicationId)
      : Routes.applicationGuildCommands(applicationId, guildId);
  const body = payloadsOf(commands);
  const names = registered.parse(await rest.put(route, { body })).map(calledName);
  const where = guildId === undefined ? 'everywhere' : `in server ${guildId}`;
  process.stdout.write(`Discord accepted ${names.length} commands ${where}: ${names.join(', ')}\n`);
  if (names.length !== body.length) throw new Error(`${body.length} were sent; some are missing.`);
}

/** A bot token begins with its application's id in Base64. */
function applicationIdOf(token: string): string {
  const id = Buffer.from(token.split('.')[0] ?? '', 'base64').toString();
  if (/^\d{17,20}$/.test(id)) return id;
  throw new OperatorError(
    'DISCORD_TOKEN names no application; copy it again, or set DISCORD_APPLICATION_ID.',
  );
}

function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  if (error instanceof DiscordAPIError && error.status === 401) {
    return new OperatorError(
      'Discord does not accept DISCORD_TOKEN. Copy it again from the Bot page of the developer portal.',
    );
  }
  const why = messageOf(error);
  if (error instanceof DiscordAPIError && error.status < 500) {
    return new OperatorError(
      `Discord refused the commands: ${why}. Check DISCORD_APPLICATION_ID and DISCORD_GUILD_ID, and that the bot is in that server.`,
    );
  }
  return new OperatorError(
    `It is not certain that the commands are registered: ${why}. Check the network and DISCORD_API_URL, and run this again; twice does no harm.`,
  );
}

await runMain(() =>
  deploy(process.env).catch((error: unknown) => {
    throw explain(error);
  }),
);
