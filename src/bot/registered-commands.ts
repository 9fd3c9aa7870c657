import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type REST,
} from 'discord.js';
import type { APIApplicationCommandOption } from 'discord-api-types/v10';
import { z } from 'zod';
import { descriptionsOf } from '../messages/locale/texts.ts';
import type { Command, MessageCommand } from './command.ts';
import { commandsRoute } from './command-links.ts';

/** What Discord answers of commands that are registered. */
export const registered = z.array(z.looseObject({ name: z.string(), type: z.int().optional() }));

type Payload = Command['data'] | MessageCommand['data'];

/**
 * Where our commands are: in servers, direct messages and private channels, added to a server or to a user. Discord keeps
 * neither of a command that is registered in one server ('Application Commands', application command object).
 */
const EVERYWHERE = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

/** Everything of these commands that is registered with Discord: everywhere, or in the one server `guildId`. */
export function payloadsOf(
  commands: readonly Pick<Command, 'data' | 'messageCommands'>[],
  guildId?: string,
): Payload[] {
  const where = guildId === undefined ? EVERYWHERE : {};
  return commands.flatMap(({ data, messageCommands = [] }) => [
    { ...localized(data, data.name), ...where },
    ...messageCommands.map((one) => ({ ...one.data, ...where })),
  ]);
}

/** A command as people call it: `/imagine`, or what stands in the menu of a message. */
export const calledName = ({ name, type }: { name: string; type?: number | undefined }): string =>
  typeOf({ type }) === ApplicationCommandType.ChatInput ? `/${name}` : name;

const typeOf = ({ type = ApplicationCommandType.ChatInput }: { type?: number | undefined }): number => type;

/**
 * Those `commands`, as people call them, that Discord does not know, or of another version. `guildIds`: where they
 * may be registered; undefined is everywhere. Rejects where Discord does not say.
 */
export async function outdatedCommands(
  rest: REST,
  commands: readonly Pick<Command, 'data' | 'messageCommands'>[],
  options: { applicationId: string; guildIds: readonly (string | undefined)[]; signal: AbortSignal },
): Promise<string[]> {
  const { applicationId, guildIds, signal } = options;
  const query = new URLSearchParams({ with_localizations: 'true' });
  const upToDateIn = async (guildId: string | undefined): Promise<string[]> => {
    const route = commandsRoute(applicationId, guildId ?? null);
    const there = registered.parse(await rest.get(route, { query, signal }));
    const isThere = (data: Payload) => there.some((one) => typeOf(one) === typeOf(data) && holds(one, data));
    return payloadsOf(commands, guildId).filter(isThere).map(calledName);
  };
  const upToDate = new Set((await Promise.all(guildIds.map(upToDateIn))).flat());
  return payloadsOf(commands)
    .map(calledName)
    .filter((name) => !upToDate.has(name));
}

/** Whether everything that `wanted` says stands in `there` as well; what is left out, false or empty says nothing. */
function holds(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    const list: unknown[] = Array.isArray(there) ? there : [];
    return list.length === wanted.length && wanted.every((one, nth) => holds(list[nth], one));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    const fields = new Map(Object.entries(there ?? {}));
    return Object.entries(wanted).every(([name, value]) => holds(fields.get(name), value));
  }
  return (there ?? false) === (wanted ?? false);
}

/** A command, or an option of one, with its descriptions in every language that the catalogues have. */
function localized<Part extends object>(part: Part, path: string): Part {
  const descriptions = descriptionsOf(path);
  return {
    ...part,
    ...(Object.keys(descriptions).length > 0 && { description_localizations: descriptions }),
    ...(hasOptions(part) && {
      options: part.options.map((option) => localized(option, `${path} ${option.name}`)),
    }),
  };
}

const hasOptions = (parent: object): parent is { options: readonly APIApplicationCommandOption[] } =>
  'options' in parent && Array.isArray(parent.options);
