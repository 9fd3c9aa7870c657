import type { ChannelType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { attachmentSizeLimit } from '../rules/attachments.ts';
import { channelPermissions, guildPermissions, memberOf } from '../rules/permissions.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { serializeMember, serializeRole } from '../serialize/guild.ts';
import { serializeAttachment, serializeMessage } from '../serialize/message.ts';
import { serializeUser } from '../serialize/user.ts';
import { addAttachment } from '../state/attachments.ts';
import type { Channel } from '../state/state.ts';
import type { Upload } from './user-client.ts';
import { UserClientError } from './user-client-error.ts';

type Kind = 'users' | 'members' | 'roles' | 'channels' | 'attachments' | 'messages';

/** Gathers the objects behind the ids of an interaction. Source: 'Receiving and Responding', resolved data. */
export function createResolved({
  context,
  channel,
  userId,
}: {
  context: Context;
  channel: Channel;
  userId: string;
}) {
  const { state, links, limits } = context;
  const guild = channel.guildId ? state.guilds.get(channel.guildId) : undefined;
  const data: Partial<Record<Kind, Record<string, unknown>>> = {};
  const add = (kind: Kind, id: string, value: unknown) => {
    data[kind] = { ...data[kind], [id]: value };
  };

  return {
    /** Each answers whether there is such a thing. */
    user(id: string): boolean {
      const user = state.users.get(id);
      if (!user) return false;
      add('users', id, serializeUser(user));
      const member = guild && memberOf(guild, id);
      if (guild && member) {
        const { user: _user, ...rest } = serializeMember(state, member);
        add('members', id, { ...rest, permissions: String(guildPermissions(state, guild, id)) });
      }
      return true;
    },
    role(id: string): boolean {
      const index = guild?.roles.findIndex((role) => role.id === id) ?? -1;
      const role = guild?.roles[index];
      if (role) add('roles', id, serializeRole(role, index));
      return role !== undefined;
    },
    channel(id: string, types?: readonly ChannelType[] | null): boolean {
      const found = state.channels.get(id);
      if (found === undefined || found.guildId !== channel.guildId) return false;
      if (types?.length && !types.includes(found.type)) return false;
      const permissions = String(channelPermissions(state, found, userId));
      add('channels', id, { ...serializeChannel(state, found, userId), permissions });
      return true;
    },
    message(id: string): void {
      const message = state.messages.get(id);
      if (message) add('messages', id, serializeMessage(context, message, userId));
    },
    /** Uploads a file for the interaction and gives back its id. */
    async attachment(upload: Upload, field: string): Promise<string> {
      const limit = attachmentSizeLimit(limits.attachment, guild);
      if (upload.bytes.length > limit) {
        throw new UserClientError('invalid', 'fileTooLarge', { limit }, field);
      }
      const file = { name: upload.name, contentType: upload.contentType ?? '', bytes: upload.bytes };
      const attachment = await addAttachment(context, file, { channelId: channel.id, ephemeral: true });
      add('attachments', attachment.id, serializeAttachment(attachment, links));
      return attachment.id;
    },
    /** For the interaction's data: nothing where there is nothing. */
    data: () => (Object.keys(data).length > 0 ? { resolved: data } : {}),
  };
}

export type Resolved = ReturnType<typeof createResolved>;
