import * as spec from 'discord-api-spec/zod';
import {
  RESTJSONErrorCodes as Code,
  MessageType,
  PermissionFlagsBits as P,
  type RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { parseBody } from '../rules/body.ts';
import { invalidForm, refusal } from '../rules/errors.ts';
import { createNonces } from '../rules/nonces.ts';
import { has } from '../rules/permissions.ts';
import { tooMany } from '../rules/rate-limits.ts';
import { compareIds, createdAt } from '../state/snowflakes.ts';
import type { Channel, Message } from '../state/state.ts';
import { wireMessage } from '../wire/message.ts';
import { accessibleChannel, need, reachableMessage } from './access.ts';
import { formOf, noContent, type Parts } from './api.ts';
import type { Form } from './form.ts';

interface ChannelRoute {
  Params: { channelId: string };
  Querystring: { limit?: string; before?: string; after?: string };
}
interface MessageRoute {
  Params: { channelId: string; messageId: string };
}

const HOUR_MS = 3_600_000;

/** Messages by bot token. Source: 'Message'. */
export function routeMessages(app: FastifyInstance, { core, messages, rateLimits }: Parts): void {
  const { state, links, clock } = core;
  const nonces = createNonces({ clock });
  const wire = (message: Message) => wireMessage(state, links, message);

  app.get<ChannelRoute>('/channels/:channelId/messages', async ({ params, query, applicationId }) => {
    const { permissions } = accessibleChannel(state, params.channelId, applicationId);
    if (!has(permissions, P.ReadMessageHistory)) return [];
    const limit = pageSize(query.limit);
    const { before, after } = query;
    const found = [...state.messages.values()]
      .filter(({ channelId, reader }) => channelId === params.channelId && reader === null)
      .filter(({ id }) => !before || compareIds(id, before) < 0)
      .filter(({ id }) => !after || compareIds(id, after) > 0);
    return (after ? found.slice(0, limit) : found.slice(-limit)).reverse().map(wire);
  });

  app.get<MessageRoute>('/channels/:channelId/messages/:messageId', async ({ params, applicationId }) => {
    const { permissions } = accessibleChannel(state, params.channelId, applicationId);
    need(permissions, P.ReadMessageHistory);
    return wire(reachableMessage(state, params.channelId, params.messageId));
  });

  app.post<ChannelRoute>(
    '/channels/:channelId/messages',
    { config: { bucket: { name: 'channelSend', of: 'channelId' } } },
    async (request) => {
      const botId = request.applicationId;
      const { channel, permissions } = accessibleChannel(state, request.params.channelId, botId);
      const form = formOf(request);
      const body = parseBody(spec.MessageCreateRequestSchema, form.body);
      checkRights(permissions, body, form);
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
          mayMentionEveryone: has(permissions, P.MentionEveryone),
        });
      return wire(await (enforce_nonce && nonce !== null ? nonces.once(botId, nonce, create) : create()));
    },
  );

  app.patch<MessageRoute>(
    '/channels/:channelId/messages/:messageId',
    { config: { bucket: { name: 'channelEdit', of: 'channelId' } } },
    async (request) => {
      const { params, applicationId } = request;
      const { channel, permissions } = accessibleChannel(state, params.channelId, applicationId);
      const message = reachableMessage(state, params.channelId, params.messageId);
      if (message.authorId !== applicationId) throw refusal(Code.CannotEditMessageAuthoredByAnotherUser);
      const form = formOf(request);
      const body = parseBody(spec.MessageEditRequestPartialSchema, form.body);
      if (form.files.length > 0) need(permissions, P.AttachFiles);
      countOldEdit(message);
      const mayMentionEveryone = has(permissions, P.MentionEveryone);
      return wire(
        await messages.edit(message, channel, { body, files: form.files, at: [], mayMentionEveryone }),
      );
    },
  );

  app.delete<MessageRoute>(
    '/channels/:channelId/messages/:messageId',
    async ({ params, applicationId }, reply) => {
      const { permissions } = accessibleChannel(state, params.channelId, applicationId);
      const message = reachableMessage(state, params.channelId, params.messageId);
      if (message.authorId !== applicationId) need(permissions, P.ManageMessages);
      messages.remove(message);
      return noContent(reply);
    },
  );

  function checkRights(permissions: bigint, body: RESTPostAPIChannelMessageJSONBody, { files }: Form): void {
    need(permissions, P.SendMessages);
    if (files.length > 0) need(permissions, P.AttachFiles);
    if (body.embeds?.length) need(permissions, P.EmbedLinks);
  }

  /** Source: 'Opcodes and Status Codes', 50007: who closed their direct messages gets none from a bot. */
  function checkRecipient({ kind, recipients }: Channel, botId: string): void {
    if (kind !== 'dm') return;
    const closed = recipients.some(
      (id) => id !== botId && state.users.get(id)?.closedToDirectMessages !== false,
    );
    if (closed) throw refusal(Code.CannotSendMessagesToThisUser);
  }

  function replyTarget(
    channel: Channel,
    permissions: bigint,
    { message_reference: reference }: RESTPostAPIChannelMessageJSONBody,
  ): Message | undefined {
    if (!reference) return undefined;
    if (!has(permissions, P.ReadMessageHistory)) {
      throw refusal(Code.CannotReplyWithoutPermissionToReadMessageHistory);
    }
    const target = state.messages.get(reference.message_id ?? '');
    if (target?.channelId === channel.id && target.reader === null) return target;
    if (reference.fail_if_not_exists === false) return undefined;
    throw invalidForm(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  }

  function countOldEdit(message: Message): void {
    if (clock.now() - createdAt(message.id) <= HOUR_MS) return;
    const taken = rateLimits.take('oldEdits', message.channelId);
    if (!taken || taken.allowed) return;
    throw tooMany(taken, 'user', {
      code: Code.MaximumNumberOfEditsToMessagesOlderThanOneHourReached,
      message: 'Maximum number of edits to messages older than 1 hour reached. Try again later.',
    });
  }
}

function pageSize(text: string | undefined): number {
  const limit = text === undefined ? 50 : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw invalidForm(['limit'], 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
}
