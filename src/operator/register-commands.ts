import { OperatorError } from '@darkroom/process';
import { ApplicationCommandType, RateLimitError, type REST } from 'discord.js';
import type { Command } from '../bot/command.ts';
import { commandsRoute } from '../bot/command-links.ts';
import { calledName, payloadsOf, registered } from '../bot/registered-commands.ts';
import { isAnswer } from '../bot/wrong-address.ts';
import { discordProblem } from './discord-problem.ts';
import type { Words } from './words/words.ts';

/**
 * Registers `commands` with Discord, and none else: in one server, or everywhere. Resolves with their names, as people
 * call them. Rejects with an `OperatorError` where Discord refuses, does not answer, or leaves some out; its cause is
 * what discord.js says.
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
  const ours = payloadsOf(commands, guildId);
  const route = commandsRoute(applicationId, guildId ?? null);
  const ended = signal && { signal };
  const register = async () => {
    const kept = guildId === undefined ? await entryPoints(rest, route, ended) : [];
    const accepted = await rest.put(route, { body: [...ours, ...kept], ...ended });
    return registered.parse(accepted).filter((command) => !isEntryPoint(command));
  };
  const answer = await register().catch((error: unknown) => {
    const { unregistered, uncertain } = words.discord;
    const why = discordProblem(error, rest, words);
    const isRefused = isAnswer(error) || error instanceof RateLimitError;
    throw new OperatorError(isRefused ? unregistered(why) : uncertain(why), { cause: error });
  });
  if (answer.length !== ours.length)
    throw new OperatorError(words.discord.incomplete(answer.length, ours.length));
  return answer.map(calledName);
}

/**
 * Discord makes an Entry Point command for an application with Activities, everywhere, and refuses a list that leaves
 * it out (50240). Source: 'Application Commands', entry point commands.
 */
async function entryPoints(rest: REST, route: `/${string}`, ended: { signal: AbortSignal } | undefined) {
  const query = new URLSearchParams({ with_localizations: 'true' });
  return registered.parse(await rest.get(route, { query, ...ended })).filter(isEntryPoint);
}

const isEntryPoint = ({ type }: { type?: number | undefined }) =>
  type === ApplicationCommandType.PrimaryEntryPoint;
