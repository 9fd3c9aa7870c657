import { type APIMessage, MessageFlags, MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { isBlocked } from '../rules/auto-mod.ts';
import { hasMessages } from '../rules/channel-kinds.ts';
import { LOCALES } from '../rules/commands.ts';
import { ApiError } from '../rules/errors.ts';
import { MAX_CONTENT } from '../rules/messages.ts';
import { channelPermissions, has, isLockedTo, memberOf, sending } from '../rules/permissions.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { serializeMember, serializeRole } from '../serialize/guild.ts';
import { serializeMessage } from '../serialize/message.ts';
import { serializeUser } from '../serialize/user.ts';
import { guildOf } from '../state/channels.ts';
import { openDirectMessage } from '../state/direct-messages.ts';
import type { Messages } from '../state/messages.ts';
import { addReaction, removeReaction } from '../state/reactions.ts';
import { compareIds } from '../state/snowflakes.ts';
import type { Channel, Message } from '../state/state.ts';
import { visibleCommands } from './commands.ts';
import { textRefusal } from './input-checks.ts';
import { createInteractionMethods } from './interaction-methods.ts';
import { createSubscriptions } from './subscriptions.ts';
import { checkUploadSize } from './upload-size.ts';
import type { Upload, UserClient } from './user-client.ts';
import { throwIfRefused, UserClientError } from './user-client-error.ts';
import { createVisibility } from './visibility.ts';

interface Services {
  context: Context;
  messages: Messages;
  interactions: Interactions;
}

export function createUserClient({ context, messages, interactions }: Services, userId: string): UserClient {
  const { state, links } = context;
  const user = state.users.get(userId);
  if (!user || user.bot) throw new UserClientError('unknown', 'unknownUser', { id: userId });
  const visibility = createVisibility(state, userId);
  const subscriptions = createSubscriptions({ context, visibility });

  function checkContent(channel: Channel, content: string): void {
    throwIfRefused(textRefusal(content, { max: MAX_CONTENT }));
    if (isBlocked(guildOf(state, channel), [content])) throw new UserClientError('blocked', 'blocked');
  }

  function checkMayWrite(channel: Channel): bigint {
    const permissions = channelPermissions(state, channel, userId);
    if (!hasMessages(channel) || !has(permissions, sending(channel)) || isLockedTo(channel, permissions)) {
      throw new UserClientError('forbidden', 'mayNotWrite');
    }
    return permissions;
  }

  async function send(
    channel: Channel,
    content: string,
    {
      uploads = [],
      replyTo,
      mention = true,
    }: { uploads?: readonly Upload[]; replyTo?: Message; mention?: boolean },
  ): Promise<APIMessage> {
    const permissions = checkMayWrite(channel);
    if (uploads.length > 0 && !has(permissions, P.AttachFiles)) {
      throw new UserClientError('forbidden', 'mayNotAttach');
    }
    for (const upload of uploads) checkUploadSize(upload, context);
    checkContent(channel, content);
    const message = await messages
      .create({
        channel,
        authorId: userId,
        type: replyTo ? MessageType.Reply : MessageType.Default,
        body: { content },
        files: uploads.map(({ name, bytes, contentType = '' }, n) => ({ n, name, bytes, contentType })),
        at: [],
        mayMentionEveryone: has(permissions, P.MentionEveryone),
        ...(replyTo && { replyTo: replyTo.id }),
        ...(replyTo && mention && { repliedUserId: replyTo.authorId }),
      })
      .catch(rethrowApiError);
    return serializeMessage(context, message, userId);
  }

  return {
    user: serializeUser(user),
    get locale() {
      return user.locale;
    },
    changeLocale(locale) {
      if (!LOCALES.has(locale)) throw new UserClientError('unknown', 'unknownLanguage', { name: locale });
      user.locale = locale;
      context.events.publish({ type: 'locale-changed', user });
    },
    ...createInteractionMethods({ context, interactions, user, visibility, subscriptions }),
    subscribe: subscriptions.subscribe,
    waitForMessage: subscriptions.waitForMessage,

    guilds: () =>
      [...state.guilds.values()]
        .filter((guild) => memberOf(guild, userId))
        .map((guild) => ({
          id: guild.id,
          name: guild.name,
          iconUrl: links.icon(guild),
          channels: [...state.channels.values()]
            .filter((channel) => channel.guildId === guild.id && visibility.canViewChannel(channel))
            .map((channel) => serializeChannel(state, channel, userId)),
          members: guild.members.map((member) => serializeMember(state, member)),
          roles: guild.roles.map(serializeRole),
        })),
    directMessages: () =>
      [...state.channels.values()]
        .filter(({ guildId, recipients }) => guildId === null && recipients.includes(userId))
        .map((channel) => serializeChannel(state, channel, userId)),
    openDirectMessage(botId = [...state.applications.keys()][0] ?? '') {
      if (!state.applications.has(botId)) throw new UserClientError('unknown', 'unknownBot', { id: botId });
      return serializeChannel(state, openDirectMessage(context, userId, botId), userId);
    },
    commands: (channelId) => visibleCommands(context, user, visibility.channel(channelId)),

    messages(channelId, { limit = 50, before } = {}) {
      const channel = visibility.channel(channelId);
      if (!visibility.hasPermission(channel, P.ReadMessageHistory)) return [];
      return [...state.messages.values()]
        .filter((message) => message.channelId === channelId && visibility.canSee(message))
        .filter(({ id }) => !before || compareIds(id, before) < 0)
        .slice(-limit)
        .map((message) => serializeMessage(context, message, userId));
    },
    message(messageId) {
      const message = state.messages.get(messageId);
      return message && visibility.canSee(message) ? serializeMessage(context, message, userId) : undefined;
    },

    say: (channelId, content, uploads = []) => send(visibility.channel(channelId), content, { uploads }),
    async reply(messageId, content, { mention = true } = {}) {
      const message = visibility.message(messageId);
      if (message.reader !== null) throw new UserClientError('forbidden', 'noReply');
      return send(visibility.channel(message.channelId), content, { replyTo: message, mention });
    },
    forward(messageId, channelId) {
      const message = visibility.message(messageId);
      const channel = visibility.channel(channelId);
      checkMayWrite(channel);
      const forwards = message.forwards ?? message;
      const place = { channel, authorId: userId, type: MessageType.Default, forwards };
      return serializeMessage(context, messages.createEmpty(place, MessageFlags.HasSnapshot), userId);
    },
    async edit(messageId, content) {
      const message = visibility.message(messageId);
      const channel = visibility.channel(message.channelId);
      if (message.authorId !== userId) {
        throw new UserClientError('forbidden', 'mayNotEdit');
      }
      checkContent(channel, content);
      const mayMentionEveryone = visibility.hasPermission(channel, P.MentionEveryone);
      const request = { body: { content }, files: [], at: [], mayMentionEveryone };
      await messages.edit(message, channel, request).catch(rethrowApiError);
      return serializeMessage(context, message, userId);
    },
    react(messageId, emoji) {
      const message = visibility.message(messageId);
      const channel = visibility.channel(message.channelId);
      const isNew = !message.reactions.some((reaction) => reaction.emoji === emoji);
      if (message.reader !== null || (isNew && !visibility.hasPermission(channel, P.AddReactions))) {
        throw new UserClientError('forbidden', 'mayNotReact');
      }
      try {
        addReaction(context, message, emoji, userId);
      } catch (error) {
        rethrowApiError(error);
      }
    },
    unreact(messageId, emoji) {
      const message = visibility.message(messageId);
      try {
        removeReaction(context, message, emoji, userId);
      } catch (error) {
        rethrowApiError(error);
      }
    },
    dismiss(messageId) {
      const message = visibility.message(messageId);
      if (message.reader !== userId) throw new UserClientError('forbidden', 'mayNotDismiss');
      messages.remove(message);
    },
    deleteMessage(messageId) {
      const message = visibility.message(messageId);
      const channel = visibility.channel(message.channelId);
      const others = message.authorId !== userId;
      if (others && !(channel.guildId && visibility.hasPermission(channel, P.ManageMessages))) {
        throw new UserClientError('forbidden', 'mayNotDelete');
      }
      messages.remove(message);
    },
  };
}

/** What the rules of the API refuse, Discord's client does not let a person do. */
function rethrowApiError(error: unknown): never {
  throw error instanceof ApiError ? new UserClientError('invalid', 'api', { message: error.message }) : error;
}
