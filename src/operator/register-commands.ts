import { OperatorError } from '@darkroom/process';
import { RateLimitError, type REST } from 'discord.js';
import type { Command } from '../bot/command.ts';
import { commandsRoute } from '../bot/command-links.ts';
import { calledName, payloadsOf, registered } from '../bot/registered-commands.ts';
import { isAnswer } from '../bot/wrong-address.ts';
import { discordProblem } from './discord-problem.ts';
import type { Words } from './words/words.ts';

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
      const isRefused = isAnswer(error) || error instanceof RateLimitError;
      throw new OperatorError(isRefused ? unregistered(why) : uncertain(why), { cause: error });
    });
  if (answer.length !== body.length)
    throw new OperatorError(words.discord.incomplete(answer.length, body.length));
  return answer.map(calledName);
}
