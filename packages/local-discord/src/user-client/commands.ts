import { type APIApplicationCommand, ApplicationCommandType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { commandOwners } from '../rules/command-access.ts';
import { serializeUserById } from '../serialize/user.ts';
import type { Channel, Owners, User } from '../state/state.ts';
import { localize } from './localize.ts';
import type { VisibleCommand } from './user-client.ts';
import { UserClientError } from './user-client-error.ts';

export interface UsableCommand {
  command: APIApplicationCommand;
  owners: Owners;
  /** Names of group and subcommand. */
  words: string[];
}

/** The commands that a user may use in a channel. A server's own command hides a global one of the same name. */
function usable({ state }: Context, user: User, channel: Channel): Omit<UsableCommand, 'words'>[] {
  const all = [...state.commands.values()].flatMap((command) => {
    const owners = commandOwners(state, user, channel, command);
    return owners ? [{ command, owners }] : [];
  });
  return all.filter(
    ({ command }) =>
      command.guild_id ||
      !all.some(
        ({ command: other }) =>
          other.guild_id &&
          other.name === command.name &&
          other.type === command.type &&
          other.application_id === command.application_id,
      ),
  );
}

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

/** `text` is a command's name or id, and for a slash command the names of group and subcommand behind it. */
export function findCommand(
  context: Context,
  user: User,
  channel: Channel,
  text: string,
  type: 'slash' | 'menu',
) {
  const isSlash = ({ type }: APIApplicationCommand) => type === ApplicationCommandType.ChatInput;
  const [first = '', ...words] = type === 'slash' ? text.replace(/^\//, '').trim().split(/\s+/) : [text];
  const found = usable(context, user, channel).find(
    ({ command }) =>
      isSlash(command) === (type === 'slash') && (command.name === first || command.id === first),
  );
  if (!found) throw new UserClientError('unknown', 'unknownCommand', { name: first ?? '' });
  return { ...found, words };
}
