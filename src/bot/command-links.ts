import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { ApplicationCommandType, type BaseInteraction, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { linkCommands } from '../messages/link-commands.ts';
import type { Message } from '../messages/message.ts';

/** How long Discord is asked for one list, in real milliseconds. */
const TIMEOUT_MS = 5_000;

const registered = z.array(
  z.object({ id: z.string(), name: z.string(), type: z.int().default(ApplicationCommandType.ChatInput) }),
);

/** A server with commands of its own; null is everywhere. */
type Scope = string | null;

export const commandsRoute = (applicationId: string, scope: Scope): `/${string}` =>
  scope === null
    ? Routes.applicationCommands(applicationId)
    : Routes.applicationGuildCommands(applicationId, scope);

/**
 * Makes the commands that a message names ones that can be clicked, once it is known under which ids they are
 * registered.
 */
export type CommandLinks = ReturnType<typeof createCommandLinks>;

export function createCommandLinks({ rest, log }: { rest: REST; log: Log }) {
  /** The ids by their commands' names, in each scope. */
  const known = new Map<Scope, ReadonlyMap<string, string>>();
  /** What is being asked: one list at a time of each scope. */
  const asking = new Map<Scope, Promise<void>>();

  async function ask(applicationId: string, scope: Scope): Promise<void> {
    const route = commandsRoute(applicationId, scope);
    try {
      const listed = registered.parse(await withTimeout(TIMEOUT_MS, (signal) => rest.get(route, { signal })));
      const typed = listed.filter(({ type }) => type === ApplicationCommandType.ChatInput);
      known.set(scope, new Map(typed.map(({ name, id }) => [name, id])));
    } catch (error) {
      log.info({ err: error }, 'it is not known which commands are registered: they cannot be clicked');
    }
  }

  function askOnce(applicationId: string, scope: Scope): Promise<void> {
    const asked = asking.get(scope) ?? ask(applicationId, scope).finally(() => void asking.delete(scope));
    asking.set(scope, asked);
    return asked;
  }

  return {
    /** In a server whose own commands are known these count, everywhere else those that are registered everywhere. */
    link: (message: Message, guildId: string | null): Message =>
      linkCommands(message, (name) => known.get(guildId)?.get(name) ?? known.get(null)?.get(name)),

    /** Asks Discord for what is registered everywhere. Never rejects. */
    learn: (applicationId: string): Promise<void> => askOnce(applicationId, null),

    /** Asks again where an interaction shows other commands, or commands of one server only. Never throws. */
    notice(interaction: BaseInteraction): void {
      if (!interaction.isChatInputCommand()) return;
      const { applicationId, commandName, commandId, commandGuildId, guildId } = interaction;
      if (known.get(commandGuildId)?.get(commandName) !== commandId)
        void askOnce(applicationId, commandGuildId);
      // Discord offers that of the server alone, so it is gone.
      if (commandGuildId === null && guildId !== null && known.get(guildId)?.has(commandName))
        void askOnce(applicationId, guildId);
    },
  };
}
