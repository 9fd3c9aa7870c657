import { type APIApplicationCommand, ApplicationCommandType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { commandOwners } from '../rules/command-access.ts';
import { serializeUserById } from '../serialize/user.ts';
import type { Channel, Owners, User } from '../state/state.ts';
import { localize } from './localize.ts';
import type { VisibleCommand } from './shapes.ts';
import { UserClientError } from './user-client-error.ts';

export interface UsableCommand {
  command: APIApplicationCommand;
  owners: Owners;
  /** Names of group and subcommand. */
  words: string[];
}

const usable = ({ state }: Context, user: User, channel: Channel): Omit<UsableCommand, 'words'>[] =>
  [...state.commands.values()].flatMap((command) => {
    const owners = commandOwners(state, user, channel, command);
    return owners ? [{ command, owners }] : [];
  });

export function visibleCommands(context: Context, user: User, channel: Channel): VisibleCommand[] {
  return usable(context, user, channel)
    .map(({ command }) => ({
      ...localize(command, user.locale),
      application: {
        id: command.application_id,
        name: context.state.applications.get(command.application_id)?.name ?? '',
        user: serializeUserById(context.state, command.application_id),
      },
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * `text` is a command's name or id, and for a slash command the names of group and subcommand behind it. By its name,
 * a server's own command is meant before a global one, and one of the first of `types` before the others.
 */
export function findCommand(
  context: Context,
  user: User,
  channel: Channel,
  text: string,
  types: readonly ApplicationCommandType[],
): UsableCommand {
  const isSlash = types.includes(ApplicationCommandType.ChatInput);
  const [first = '', ...words] = isSlash ? text.replace(/^\//, '').trim().split(/\s+/) : [text];
  const all = usable(context, user, channel).filter(({ command }) => types.includes(command.type));
  const byId = all.filter(({ command }) => command.id === first);
  const named = all
    .filter(({ command }) => command.name === first)
    .sort((a, b) => Number(!a.command.guild_id) - Number(!b.command.guild_id))
    .sort((a, b) => types.indexOf(a.command.type) - types.indexOf(b.command.type));
  const [found] = byId.length > 0 ? byId : named;
  if (!found) throw new UserClientError('unknown', 'unknownCommand', { name: first });
  const isSomeoneElses = ({ command }: Omit<UsableCommand, 'words'>) =>
    command.application_id !== found.command.application_id;
  if (byId.length === 0 && named.some(isSomeoneElses)) {
    throw new UserClientError('unknown', 'severalCommands', { name: first });
  }
  return { ...found, words };
}
