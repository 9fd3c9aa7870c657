import { messageOf, OperatorError } from '@darkroom/process';
import { DiscordAPIError, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Command } from '../bot/command.ts';
import { calledName, payloadsOf } from '../bot/registered-commands.ts';
import { wrongAddress } from '../bot/wrong-address.ts';

const registered = z.array(z.looseObject({ name: z.string(), type: z.int().optional() }));

/**
 * Registers `commands` with Discord: in one server, or everywhere. Resolves with their names, as people call them. Rejects
 * with an `OperatorError` where Discord refuses, does not answer, or leaves some out.
 */
export async function registerCommands(
  rest: REST,
  commands: readonly Command[],
  {
    applicationId,
    guildId,
    signal,
  }: { applicationId: string; guildId: string | undefined; signal?: AbortSignal },
): Promise<string[]> {
  const route =
    guildId === undefined
      ? Routes.applicationCommands(applicationId)
      : Routes.applicationGuildCommands(applicationId, guildId);
  const body = payloadsOf(commands);
  const answer = await rest
    .put(route, { body, ...(signal && { signal }) })
    .then((accepted) => registered.parse(accepted))
    .catch((error: unknown) => {
      throw explained(error, rest);
    });
  if (answer.length !== body.length) {
    throw new OperatorError(
      `Discord accepted ${answer.length} of ${body.length} commands, so some are missing. Run this again.`,
    );
  }
  return answer.map(calledName);
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
