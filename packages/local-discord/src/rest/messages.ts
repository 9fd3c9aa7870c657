import { createCache, DAY_MS, HOUR_MS, MINUTE_MS } from '@darkroom/time';
import * as spec from 'discord-api-spec/zod';
import {
  ChannelType,
  RESTJSONErrorCodes as Code,
  MessageReferenceType,
  MessageType,
  PermissionFlagsBits as P,
  type RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { parseBody } from '../rules/body.ts';
import { hasMessages } from '../rules/channel-kinds.ts';
import { apiError, UnsupportedError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { readsContent, withoutContent } from '../rules/message-content.ts';
import { has, memberOf, sending } from '../rules/permissions.ts';
import { rateLimited } from '../rules/rate-limits.ts';
import { requireOpen, requireUnlocked } from '../rules/threads.ts';
import { serializeMessage } from '../serialize/message.ts';
import { compareIds, createdAt, isSnowflake } from '../state/snowflakes.ts';
import type { Channel, Message } from '../state/state.ts';
import {
  accessibleChannel,
  reachableMessage,
  readableChannel,
  requireInGuild,
  requirePermissions,
} from './access.ts';
import type { Form } from './form.ts';
import { pageSize } from './paging.ts';
import { type At, type ChannelRoute, formOf, type MessageRoute, type Services } from './routing.ts';

/** Source: 'Message', Bulk Delete Messages. */
const BULK_AGE_MS = 14 * DAY_MS;
const BULK = { min: 2, max: 100 };
const bulkShape = z.object({ messages: z.array(z.string().check(z.regex(/^\d{1,20}$/))) });

/** How long a nonce is known: 'past few minutes' is all that Discord says. Source: 'Message', Create Message. */
const NONCE_LIFE_MS = 3 * MINUTE_MS;
/** More than the global rate limit lets a bot send within that time. */
const MOST_NONCES = 10_000;

/** Messages by bot token. Source: 'Message'. */
export function routeMessages(app: FastifyInstance, { context, messages, rateLimiter }: Services): void {
  const { state, clock, events } = context;
  /** What bots created with which nonce, also while it is still being created. */
  const created = createCache<string, Promise<Message>>({ max: MOST_NONCES, ttlMs: NONCE_LIFE_MS, clock });
  const serialize = (message: Message, viewer: { applicationId: string }) =>
    serializeMessage(context, message, viewer.applicationId);
  const read = (message: Message, { guildId }: Channel, botId: string) => {
    const whole = serializeMessage(context, message, botId);
    return readsContent(state, botId) ? whole : withoutContent(whole, botId, guildId === null);
  };

  app.get<At<'channelId', 'limit' | 'before' | 'after' | 'around'>>(
    '/channels/:channelId/messages',
    // Source: discord-api-docs#8161.
    { config: { bucket: { name: 'channelRead', of: 'channelId', announces: 1000 } } },
    async ({ params, query, applicationId }) => {
      const { channel, permissions } = readableChannel(state, params.channelId, applicationId);
      if (!has(permissions, P.ReadMessageHistory)) return [];
      const limit = pageSize(query.limit, { fallback: 50, max: 100 });
      const found = [...state.messages.values()].filter(
        ({ channelId, reader }) => channelId === params.channelId && reader === null,
      );
      return pageOf(found, query, limit)
        .reverse()
        .map((message) => read(message, channel, applicationId));
    },
  );

  app.get<MessageRoute>('/channels/:channelId/messages/:messageId', async ({ params, applicationId }) => {
    const { channel, permissions } = readableChannel(state, params.channelId, applicationId);
    requirePermissions(permissions, P.ReadMessageHistory);
    return read(reachableMessage(state, channel.id, params.messageId), channel, applicationId);
  });

  app.post<ChannelRoute>(
    '/channels/:channelId/messages',
    { config: { bucket: { name: 'channelSend', of: 'channelId' } } },
    async (request) => {
      const botId = request.applicationId;
      const { channel, permissions } = accessibleChannel(state, request.params.channelId, botId);
      const form = formOf(request);
      refuseUnsupported(form.body);
      const body = parseBody(spec.MessageCreateRequestSchema, form.body);
      checkRights(channel, permissions, body, form);
      checkRecipient(channel, botId);
      const reply = replyTarget(channel, permissions, body);

      const { nonce = null, enforce_nonce } = body;
      const create = () =>
        messages.create({
          channel,
          authorId: botId,
          type: reply ? MessageType.Reply : MessageType.Default,
          body,
          files: form.files,
          at: [],
          nonce,
          replyTo: reply?.id ?? null,
          ...(reply && { repliedUserId: reply.authorId }),
          mayMentionEveryone: has(permissions, P.MentionEveryone),
        });
      const isNonceEnforced = enforce_nonce && nonce !== null;
      const message = await (isNonceEnforced ? created.recall(`${botId} ${nonce}`, create) : create());
      return serialize(message, request);
    },
  );

  app.patch<MessageRoute>(
    '/channels/:channelId/messages/:messageId',
    { config: { bucket: { name: 'channelEdit', of: 'channelId' } } },
    async (request) => {
      const { params, applicationId } = request;
      const { channel, permissions } = accessibleChannel(state, params.channelId, applicationId);
      const message = reachableMessage(state, params.channelId, params.messageId);
      if (message.authorId !== applicationId) throw apiError(Code.CannotEditMessageAuthoredByAnotherUser);
      requireOpen(channel);
      requireUnlocked(channel, permissions);
      const form = formOf(request);
      const body = parseBody(spec.MessageEditRequestPartialSchema, form.body);
      if (form.files.length > 0) requirePermissions(permissions, P.AttachFiles);
      countOldEdit(message);
      const mayMentionEveryone = has(permissions, P.MentionEveryone);
      const requested = { body, files: form.files, at: [], mayMentionEveryone };
      return serialize(await messages.edit(message, channel, requested), request);
    },
  );

  app.post<ChannelRoute>('/channels/:channelId/messages/bulk-delete', async (request) => {
    const { params, applicationId } = request;
    const { channel, permissions } = accessibleChannel(state, params.channelId, applicationId);
    requireInGuild(channel, permissions, P.ManageMessages);
    requireOpen(channel);
    const { messages: ids } = parseBody(bulkShape, formOf(request).body);
    if (ids.length < BULK.min || ids.length > BULK.max) {
      throw apiError(Code.ProvidedTooFewOrTooManyMessagesToDelete);
    }
    if (new Set(ids).size < ids.length) throw invalidFormBody(['messages'], 'BULK_DELETE_DUPLICATED');
    if (ids.some((id) => clock.now() - createdAt(id) > BULK_AGE_MS)) {
      throw apiError(Code.OneOfTheMessagesProvidedWasTooOldForBulkDelete);
    }
    const found = ids.flatMap((id) => state.messages.get(id) ?? []);
    const gone = found.filter(({ channelId, reader }) => channelId === channel.id && reader === null);
    for (const message of gone) messages.remove(message, { inBulk: true });
    events.publish({ type: 'messages-deleted', channel, ids: gone.map(({ id }) => id) });
  });

  app.delete<MessageRoute>('/channels/:channelId/messages/:messageId', async ({ params, applicationId }) => {
    const { channel, permissions } = accessibleChannel(state, params.channelId, applicationId);
    const message = reachableMessage(state, params.channelId, params.messageId);
    if (message.authorId !== applicationId) requireInGuild(channel, permissions, P.ManageMessages);
    requireOpen(channel);
    messages.remove(message);
  });

  /** Before the body is validated, which would find fault with something else. */
  function refuseUnsupported(body: unknown): void {
    const { sticker_ids: stickers, message_reference: reference } = Object(body);
    if (Array.isArray(stickers) && stickers.length > 0) throw new UnsupportedError({ feature: 'stickers' });
    if (reference?.type === MessageReferenceType.Forward) throw new UnsupportedError({ feature: 'forwards' });
  }

  function checkRights(
    channel: Channel,
    permissions: bigint,
    body: RESTPostAPIChannelMessageJSONBody,
    { files }: Form,
  ): void {
    if (!hasMessages(channel)) throw apiError(Code.CannotSendMessagesInNonTextChannel);
    requirePermissions(permissions, sending(channel));
    requireUnlocked(channel, permissions);
    if (files.length > 0) requirePermissions(permissions, P.AttachFiles);
    if (body.embeds?.length) requirePermissions(permissions, P.EmbedLinks);
  }

  /**
   * Source: 'Opcodes and Status Codes', 50007: who closed their direct messages gets none from a bot; 50278: nor does who
   * shares no server with it and has not installed it.
   */
  function checkRecipient({ type, recipients }: Channel, botId: string): void {
    if (type !== ChannelType.DM) return;
    for (const id of recipients.filter((recipient) => recipient !== botId)) {
      const user = state.users.get(id);
      if (!user || user.closedToDirectMessages) throw apiError(Code.CannotSendMessagesToThisUser);
      const isNear = [...state.guilds.values()].some(
        (guild) => memberOf(guild, id) && memberOf(guild, botId),
      );
      if (!isNear && !user.installed.includes(botId))
        throw apiError(Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds);
    }
  }

  function replyTarget(
    channel: Channel,
    permissions: bigint,
    { message_reference: reference }: RESTPostAPIChannelMessageJSONBody,
  ): Message | undefined {
    if (!reference) return undefined;
    if (!has(permissions, P.ReadMessageHistory)) {
      throw apiError(Code.CannotReplyWithoutPermissionToReadMessageHistory);
    }
    const target = reference.message_id && state.messages.get(reference.message_id);
    if (target && target.channelId === channel.id && target.reader === null) return target;
    if (reference.fail_if_not_exists === false) return undefined;
    throw invalidFormBody(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE');
  }

  function countOldEdit(message: Message): void {
    if (clock.now() - createdAt(message.id) <= HOUR_MS) return;
    const taken = rateLimiter.take('oldEdits', message.channelId);
    if (!taken || taken.allowed) return;
    throw rateLimited(taken, 'user', {
      code: Code.MaximumNumberOfEditsToMessagesOlderThanOneHourReached,
      message: 'Maximum number of edits to messages older than 1 hour reached. Try again later.',
    });
  }
}

/** The messages before or after one, or around it, as `query` asks; the newest without it. In order of age. */
function pageOf(
  messages: readonly Message[],
  { before, after, around }: { before?: string; after?: string; around?: string },
  limit: number,
): Message[] {
  for (const [field, id] of Object.entries({ before, after, around })) {
    if (id === undefined || isSnowflake(id)) continue;
    throw invalidFormBody([field], 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
  }
  if (around !== undefined) {
    const older = messages.filter(({ id }) => compareIds(id, around) < 0);
    const others = messages.slice(older.length);
    const half = Math.floor(limit / 2);
    return [...older.slice(older.length - Math.min(half, older.length)), ...others.slice(0, limit - half)];
  }
  if (after !== undefined) return messages.filter(({ id }) => compareIds(id, after) > 0).slice(0, limit);
  return messages.filter(({ id }) => !before || compareIds(id, before) < 0).slice(-limit);
}
