import { messageOf, OperatorError, runMain, tellMisspelt } from '@darkroom/process';
import { DiscordAPIError, REST, Routes } from 'discord.js';
import { z } from 'zod';
import { commands } from './commands/index.ts';
import { calledName, payloadsOf } from './src/bot/registered-commands.ts';
import { wrongAddress } from './src/bot/wrong-address.ts';
import { CONFIG_KEYS, loadConfig } from './src/config.ts';
import { applicationOf } from './src/discord-token.ts';

const registered = z.array(z.looseObject({ name: z.string(), type: z.int().optional() }));

/** Registers `commands/index.ts` with Discord, in one server where `DISCORD_GUILD_ID` names it, and prints what was accepted. */
async function deploy(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(env, { tokenRequired: true });
  const { DISCORD_TOKEN: token } = config;
  const applicationId = config.DISCORD_APPLICATION_ID ?? applicationOf(token);
  if (applicationId === undefined) throw new OperatorError('Set DISCORD_APPLICATION_ID.');
  const guildId = config.DISCORD_GUILD_ID;
  const rest = new REST({ api: config.DISCORD_API_URL, version: '10' }).setToken(token);
  const route =
    guildId === undefined
      ? Routes.applicationCommands(applicationId)
      : Routes.applicationGuildCommands(applicationId, guildId);
  const body = payloadsOf(commands);
  const answer = await rest
    .put(route, { body })
    .then((accepted) => registered.parse(accepted))
    .catch((error: unknown) => {
      throw explained(error, rest);
    });
  const names = answer.map(calledName);
  const where = guildId === undefined ? 'everywhere' : `in server ${guildId}`;
  process.stdout.write(
    `Discord accepted ${names.length} ${names.length === 1 ? 'command' : 'commands'} ${where}: ${names.join(', ')}\n`,
  );
  if (names.length !== body.length)
    throw new OperatorError(`${body.length} were sent, so some are missing. Run this again.`);
}

function explained(error: unknown, rest: REST): OperatorError {
  const elsewhere = wrongAddress(error, rest);
  if (elsewhere !== undefined) return new OperatorError(`The commands are not registered: ${elsewhere}`);
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

await runMain(() => {
  tellMisspelt(process.env, CONFIG_KEYS);
  return deploy(process.env);
});
