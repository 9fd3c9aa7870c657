// Registers the commands with Discord, in one server where `DISCORD_GUILD_ID` names it, or removes them from there;
// prints what was accepted.
import { OperatorError, ownCommand, tellUnread } from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { CONFIG_KEYS, loadConfig } from './src/config.ts';
import { applicationOf } from './src/discord-token.ts';
import { inWords, wordsOf } from './src/operator/words/words.ts';

async function deploy({ remove }: { remove?: true }): Promise<string> {
  tellUnread(process.env, CONFIG_KEYS);
  const words = wordsOf(process.env);
  const config = inWords(words, () => loadConfig(process.env, { tokenRequired: true }));
  const { DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId } = config;
  const applicationId = config.DISCORD_APPLICATION_ID ?? applicationOf(token);
  if (applicationId === undefined) throw new OperatorError('Set DISCORD_APPLICATION_ID.');
  const { commands } = await import('./commands/index.ts');
  const { operatorRest } = await import('./src/operator/discord-rest.ts');
  const { registerCommands } = await import('./src/operator/register-commands.ts');
  const rest = operatorRest(config.DISCORD_API_URL, { retries: 3 }).setToken(token);
  const wanted = remove ? [] : commands;
  const names = await registerCommands(rest, wanted, { applicationId, guildId, words });
  return remove ? words.discord.removed(guildId) : words.discord.accepted(names, guildId);
}

const usage = {
  name: ownCommand('deploy-commands'),
  description: 'Registers the commands with Discord, or removes them.',
};
process.stdout.write(
  await runProgram(process.argv.slice(2), usage, (program, say) =>
    program
      .option('--remove', 'removes them instead, from where they would be registered')
      .action(async (options) => say(await deploy(options))),
  ),
);
