import { OperatorError } from '@darkroom/process';
import { REST } from 'discord.js';
import type { Command } from '../bot/command.ts';
import { commandsRoute } from '../bot/command-links.ts';
import { calledName, payloadsOf, registered } from '../bot/registered-commands.ts';
import { isAnswer } from '../bot/wrong-address.ts';
import { discordProblem } from './discord-problem.ts';
import type { Words } from './words/words.ts';

/** Discord's REST API at `apiUrl`, called as the bot of a token. */
export const restOf = (apiUrl: string, token: string): REST =>
  new REST({ api: apiUrl, version: '10' }).setToken(token);

/**
 * Registers `commands` with Discord: in one server, or everywhere. Resolves with their names, as people call them.
 * Rejects with an `OperatorError` where Discord refuses, does not answer, or leaves some out; its cause is what
 * discord.js says.
 */
export async function registerCommands(
  rest: REST,
  commands: readonly Command[],
  {
    applicationId,
    guildId,
    words,
    signal,
  }: { applicationId: string; guildId: string | undefined; words: Words; signal?: AbortSignal },
): Promise<string[]> {
  const body = payloadsOf(commands, guildId);
  const answer = await rest
    .put(commandsRoute(applicationId, guildId ?? null), { body, ...(signal && { signal }) })
    .then((accepted) => registered.parse(accepted))
    .catch((error: unknown) => {
      const { unregistered, uncertain } = words.discord;
      const why = discordProblem(error, rest, words);
      throw new OperatorError(isAnswer(error) ? unregistered(why) : uncertain(why), { cause: error });
    });
  if (answer.length !== body.length)
    throw new OperatorError(words.discord.incomplete(answer.length, body.length));
  return answer.map(calledName);
}
