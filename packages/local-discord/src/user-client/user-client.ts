import {
  type APIChannel,
  type APIMessage,
  MessageFlags,
  MessageType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
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
import { compareIds, createdAt } from '../state/snowflakes.ts';
import type { Channel, Message } from '../state/state.ts';
import { visibleCommands } from './commands.ts';
import { sizeRefusal, textRefusal } from './input-checks.ts';
import { createInteractionMethods } from './interaction-methods.ts';
import type { Upload, VisibleGuild } from './shapes.ts';
import { createSubscriptions } from './subscriptions.ts';
import { throwIfRefused, UserClientError } from './user-client-error.ts';
import { createVisibility } from './visibility.ts';

interface Services {
  context: Context;
  messages: Messages;
  interactions: Interactions;
}

/**
 * One person in front of Discord, with the rules of Discord's client: they see what they may see, and a bot receives
 * from them only what a client can send. Messages, channels and commands are in Discord's wire shapes.
 *
 * @example
 * const member = discord.as('100000000000000001');
 * const answer = await member.invoke(channelId, 'feedback');
 * if (answer.kind === 'modal') await member.submitModal(answer.interactionId, { text: 'More cats, please.' });
 */
export function createUserClient({ context, messages, interactions }: Services, userId: string) {
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
    for (const upload of uploads) throwIfRefused(sizeRefusal(upload, context.limits.attachment));
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

  function changeReaction(change: typeof addReaction, message: Message, emoji: string): void {
    try {
      change(context, message, emoji, userId);
    } catch (error) {
      rethrowApiError(error);
    }
  }

  return {
    user: serializeUser(user),
    /** Language of this person's client, e.g. `en-US`: bots get it with every interaction. */
    get locale(): string {
      return user.locale;
    },
    /** Chooses another of Discord's languages. */
    changeLocale(locale: string): void {
      if (!LOCALES.has(locale)) throw new UserClientError('unknown', 'unknownLanguage', { name: locale });
      user.locale = locale;
      context.events.publish({ type: 'locale-changed', user });
    },
    ...createInteractionMethods({ context, interactions, user, visibility, subscriptions }),
    subscribe: subscriptions.subscribe,
    waitForMessage: subscriptions.waitForMessage,

    guilds: (): VisibleGuild[] =>
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
    /** Conversations of this person: with bots, with people, and groups. */
    directMessages: (): APIChannel[] =>
      [...state.channels.values()]
        .filter(({ guildId, recipients }) => guildId === null && recipients.includes(userId))
        .map((channel) => serializeChannel(state, channel, userId)),
    /** The conversation with a bot, opened where there is none yet. Without `botId`: with the only bot. */
    openDirectMessage(botId = [...state.applications.keys()][0] ?? ''): APIChannel {
      if (!state.applications.has(botId)) throw new UserClientError('unknown', 'unknownBot', { id: botId });
      return serializeChannel(state, openDirectMessage(context, userId, botId), userId);
    },
    /** Slash commands and context menus that this person may use in this channel, sorted by name. */
    commands: (channelId: string) => visibleCommands(context, user, visibility.channel(channelId)),

    /**
     * Oldest first; `limit` counts from the newest or from `before` backwards. Ephemeral ones of their own are in it,
     * those since `openedAt` in milliseconds since the epoch: Discord's client forgets them when it is opened anew.
     * Source: discord-api-docs#3023, #4818.
     */
    messages(
      channelId: string,
      { limit = 50, before, openedAt = 0 }: { limit?: number; before?: string; openedAt?: number } = {},
    ): APIMessage[] {
      const channel = visibility.channel(channelId);
      if (!visibility.hasPermission(channel, P.ReadMessageHistory)) return [];
      return [...state.messages.values()]
        .filter((message) => message.channelId === channelId && visibility.canSee(message))
        .filter(({ id }) => !before || compareIds(id, before) < 0)
        .filter(({ id, reader }) => reader === null || createdAt(id) >= openedAt)
        .slice(-limit)
        .map((message) => serializeMessage(context, message, userId));
    },
    /** One message, or `undefined` where this person cannot see it (any more). */
    message(messageId: string): APIMessage | undefined {
      const message = state.messages.get(messageId);
      return message && visibility.canSee(message) ? serializeMessage(context, message, userId) : undefined;
    },

    say: (channelId: string, content: string, uploads: readonly Upload[] = []) =>
      send(visibility.channel(channelId), content, { uploads }),
    /** Answers a message in its channel; `mention: false` is 'Mention off' in Discord's client. */
    async reply(
      messageId: string,
      content: string,
      { mention = true }: { mention?: boolean } = {},
    ): Promise<APIMessage> {
      const message = visibility.message(messageId);
      if (message.reader !== null) throw new UserClientError('forbidden', 'noReply');
      return send(visibility.channel(message.channelId), content, { replyTo: message, mention });
    },
    /** Shows in a channel what stands in a message. */
    forward(messageId: string, channelId: string): APIMessage {
      const message = visibility.message(messageId);
      const channel = visibility.channel(channelId);
      checkMayWrite(channel);
      const forwards = message.forwards ?? message;
      const place = { channel, authorId: userId, type: MessageType.Default, forwards };
      return serializeMessage(context, messages.createEmpty(place, MessageFlags.HasSnapshot), userId);
    },
    /** Changes the text of one's own message. */
    async edit(messageId: string, content: string): Promise<APIMessage> {
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
    /** Adds a reaction: an emoji of Unicode. */
    react(messageId: string, emoji: string): void {
      const message = visibility.message(messageId);
      const channel = visibility.channel(message.channelId);
      const isNew = !message.reactions.some((reaction) => reaction.emoji === emoji);
      if (message.reader !== null || (isNew && !visibility.hasPermission(channel, P.AddReactions))) {
        throw new UserClientError('forbidden', 'mayNotReact');
      }
      changeReaction(addReaction, message, emoji);
    },
    /** Takes back one's own reaction. */
    unreact(messageId: string, emoji: string): void {
      changeReaction(removeReaction, visibility.message(messageId), emoji);
    },
    /**
     * 'Dismiss message' under an ephemeral answer. It is gone from this person's client alone: Discord's own seems to
     * tell nobody, so the bot may still edit it. That is an inference; no documentation says so.
     */
    dismiss(messageId: string): void {
      const message = visibility.message(messageId);
      if (message.reader !== userId) throw new UserClientError('forbidden', 'mayNotDismiss');
      message.dismissed = true;
      context.events.publish({ type: 'message-dismissed', message });
    },
    /** Deletes a message: one's own, or with Manage Messages anybody's. */
    deleteMessage(messageId: string): void {
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

export type UserClient = ReturnType<typeof createUserClient>;

/** What the rules of the API refuse, Discord's client does not let a person do. */
function rethrowApiError(error: unknown): never {
  throw error instanceof ApiError ? new UserClientError('invalid', 'api', { message: error.message }) : error;
}
