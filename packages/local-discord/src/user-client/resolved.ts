import type { ChannelType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { extensionsOf, fitsFileTypes } from '../rules/file-types.ts';
import { appPermissions, channelPermissions, guildPermissions, memberOf } from '../rules/permissions.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { serializeMember, serializeRole } from '../serialize/guild.ts';
import { serializeAttachment, serializeMessage } from '../serialize/message.ts';
import { serializeUser } from '../serialize/user.ts';
import { addAttachment, removeUnreachable } from '../state/attachments.ts';
import { guildOf } from '../state/channels.ts';
import type { Channel } from '../state/state.ts';
import { sizeRefusal } from './input-checks.ts';
import type { Upload } from './shapes.ts';
import { throwIfRefused, UserClientError } from './user-client-error.ts';

type Kind = 'users' | 'members' | 'roles' | 'channels' | 'attachments' | 'messages';

/**
 * Gathers the objects behind the ids of an interaction; files are kept only once all of it is in order. Source:
 * 'Receiving and Responding', resolved data.
 */
export function createResolved({
  context,
  channel,
  userId,
  applicationId,
}: {
  context: Context;
  channel: Channel;
  userId: string;
  applicationId: string;
}) {
  const { state, links, snowflakes } = context;
  const guild = guildOf(state, channel);
  const data: Partial<Record<Kind, Record<string, unknown>>> = {};
  const uploads = new Map<string, Upload>();
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
      add('channels', id, {
        ...serializeChannel(state, found, userId),
        permissions: String(channelPermissions(state, found, userId)),
        ...(guild &&
          memberOf(guild, applicationId) && {
            app_permissions: String(appPermissions(state, found, applicationId)),
          }),
      });
      return true;
    },
    message(id: string): void {
      const message = state.messages.get(id);
      if (message) add('messages', id, serializeMessage(context, message, userId));
    },
    /** Takes a file for the interaction and gives back its id. `types` are its field's `file_types`. */
    attachment(
      upload: Upload,
      field: string | undefined,
      types: readonly string[] | null | undefined,
    ): string {
      throwIfRefused(sizeRefusal(upload, context.limits.attachment), field);
      if (!fitsFileTypes(upload.name, types)) {
        const allowed = extensionsOf(types ?? []).join(', ');
        throw new UserClientError('invalid', 'fileType', { types: allowed }, field);
      }
      const id = snowflakes.next();
      uploads.set(id, upload);
      return id;
    },
    /** For the interaction's data: nothing where there is nothing. */
    async data(): Promise<{ resolved?: object }> {
      if (uploads.size > 0) await removeUnreachable(context);
      for (const [id, { name, contentType = '', bytes }] of uploads) {
        const place = { id, channelId: channel.id, ephemeral: true };
        const attachment = await addAttachment(context, { name, contentType, bytes }, place);
        add('attachments', id, serializeAttachment(attachment, links));
      }
      return Object.keys(data).length > 0 ? { resolved: data } : {};
    },
  };
}

export type Resolved = ReturnType<typeof createResolved>;
