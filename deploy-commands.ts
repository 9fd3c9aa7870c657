// Registers the commands with Discord, in one server where `DISCORD_GUILD_ID` names it; prints what was accepted.
import { OperatorError, tellMisspelt } from '@darkroom/process';
import { CONFIG_KEYS, loadConfig } from './src/config.ts';
import { applicationOf } from './src/discord-token.ts';
import { inWords, wordsOf } from './src/operator/words/words.ts';

tellMisspelt(process.env, CONFIG_KEYS);
const words = wordsOf(process.env);
const config = inWords(words, () => loadConfig(process.env, { tokenRequired: true }));
const { DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId } = config;
const applicationId = config.DISCORD_APPLICATION_ID ?? applicationOf(token);
if (applicationId === undefined) throw new OperatorError('Set DISCORD_APPLICATION_ID.');
const { commands } = await import('./commands/index.ts');
const { operatorRest } = await import('./src/operator/discord-rest.ts');
const { registerCommands } = await import('./src/operator/register-commands.ts');
const rest = operatorRest(config.DISCORD_API_URL, { retries: 3 }).setToken(token);
const names = await registerCommands(rest, commands, { applicationId, guildId, words });
process.stdout.write(`${words.discord.accepted(names, guildId)}\n`);
