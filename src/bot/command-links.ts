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

/** Makes the commands that a message names ones that can be clicked, once it is known under which ids they are registered. */
export interface CommandLinks {
  link(message: Message): Message;
  /** Asks Discord for what is registered everywhere. Never rejects. */
  learn(applicationId: string): Promise<void>;
  /** Asks again where an interaction shows that another version is registered, or in one server only. Never throws. */
  notice(interaction: BaseInteraction): void;
}

export function createCommandLinks({ rest, log }: { rest: REST; log: Log }): CommandLinks {
  const ids = new Map<string, string>();
  /** What is being asked: one list at a time of each place. */
  const asking = new Map<string, Promise<void>>();

  async function ask(applicationId: string, guildId: string | null): Promise<void> {
    const route =
      guildId === null
        ? Routes.applicationCommands(applicationId)
        : Routes.applicationGuildCommands(applicationId, guildId);
    try {
      const listed = registered.parse(await withTimeout(TIMEOUT_MS, (signal) => rest.get(route, { signal })));
      for (const { id, name, type } of listed) {
        if (type === ApplicationCommandType.ChatInput) ids.set(name, id);
      }
    } catch (error) {
      log.info({ err: error }, 'it is not known which commands are registered: they cannot be clicked');
    }
  }

  function askOnce(applicationId: string, guildId: string | null): Promise<void> {
    const place = guildId ?? '';
    const asked = asking.get(place) ?? ask(applicationId, guildId).finally(() => void asking.delete(place));
    asking.set(place, asked);
    return asked;
  }

  return {
    link: (message) => linkCommands(message, ids),

    learn: (applicationId) => askOnce(applicationId, null),

    notice(interaction) {
      if (!interaction.isChatInputCommand()) return;
      const { applicationId, commandName, commandId, commandGuildId } = interaction;
      if (ids.get(commandName) !== commandId) void askOnce(applicationId, commandGuildId);
    },
  };
}
