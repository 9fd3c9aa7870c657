import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code, ApplicationIntegrationType as Install } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerRequest, editRequest } from '../interactions/callback.ts';
import { parseBody } from '../rules/body.ts';
import { apiError } from '../rules/errors.ts';
import { rateLimited } from '../rules/rate-limits.ts';
import { requireOpen } from '../rules/threads.ts';
import { serializeMessage } from '../serialize/message.ts';
import { isLoading } from '../state/messages.ts';
import type { Channel, Interaction, Message } from '../state/state.ts';
import type { ChannelWebhooks, TokenRoute } from './channel-webhooks.ts';
import { type At, formOf, type Services } from './routing.ts';

type WebhookMessage = At<'webhookId' | 'token' | 'messageId', 'thread_id'>;

/** Of an app that is only installed to the user. Source: 'Receiving and Responding', followup messages. */
const USER_INSTALL_FOLLOW_UPS = 5;

/**
 * What a token opens: that of an interaction for 15 minutes, that of a channel's webhook for good. Source: 'Receiving
 * and Responding', endpoints; 'Webhook'.
 */
export function routeWebhooks(
  app: FastifyInstance,
  services: Services,
  channelWebhooks: ChannelWebhooks,
): void {
  const { context, messages, interactions, rateLimiter } = services;
  const { state } = context;
  /** Messages of a token are its application's own. */
  const serialize = (message: Message) => serializeMessage(context, message, message.authorId);
  const config = { auth: 'token', bucket: { name: 'interactionWebhook', of: 'token' } } as const;

  const path = '/webhooks/:webhookId/:token/messages/:messageId';

  function place(interaction: Interaction): Channel {
    const channel = state.channels.get(interaction.channelId);
    if (!channel) throw apiError(Code.UnknownChannel);
    return channel;
  }

  /** A message, and the interaction that it answers: none, where a webhook of the channel wrote it. */
  function find({ params, query }: FastifyRequest<WebhookMessage>) {
    const webhook = channelWebhooks.withToken(params);
    const own = webhook && channelWebhooks.message(webhook, params.messageId, query.thread_id);
    if (own) return { ...own, interaction: undefined };
    const interaction = interactions.open(params.webhookId, params.token);
    const channel = place(interaction);
    const id = params.messageId === '@original' ? interaction.originalMessageId : params.messageId;
    const message = id && state.messages.get(id);
    if (!message || !interaction.messageIds.includes(message.id)) throw apiError(Code.UnknownMessage);
    return { interaction, channel, message };
  }

  app.post<TokenRoute>('/webhooks/:webhookId/:token', { config }, async (request) => {
    const webhook = channelWebhooks.withToken(request.params);
    if (webhook) {
      const message = await channelWebhooks.execute(webhook, request);
      return request.query.wait === 'true' ? serialize(message) : undefined;
    }
    const interaction = interactions.open(request.params.webhookId, request.params.token);
    const channel = place(interaction);
    const { body: raw, files } = formOf(request);
    const body = parseBody(spec.IncomingWebhookRequestPartialSchema, raw);
    const said = { body, files, at: [] };

    const { originalMessageId } = interaction;
    const original = originalMessageId && state.messages.get(originalMessageId);
    if (original && isLoading(original)) {
      const edit = editRequest(context, interaction, original, channel, said);
      return serialize(await messages.edit(original, channel, edit));
    }
    countFollowUp(interaction);
    const message = await messages.create(answerRequest(context, interaction, channel, said));
    interaction.messageIds.push(message.id);
    return serialize(message);
  });

  function countFollowUp(interaction: Interaction): void {
    const userOnly = interaction.metadata.owners[Install.GuildInstall] === undefined;
    if (userOnly && interaction.followUps >= USER_INSTALL_FOLLOW_UPS) {
      throw apiError(Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages);
    }
    countInChannel('channelFollowUps', interaction);
    interaction.followUps++;
  }

  function countInChannel(name: 'channelFollowUps' | 'channelReplyEdits', { channelId }: Interaction): void {
    const taken = rateLimiter.take(name, channelId);
    if (!taken || taken.allowed) return;
    const message = 'The write action you are performing on the channel has hit the write rate limit.';
    throw rateLimited(taken, 'shared', { code: Code.ChannelSendRateLimit, message });
  }

  app.get<WebhookMessage>(path, { config }, async (request) => serialize(find(request).message));

  app.patch<WebhookMessage>(path, { config }, async (request) => {
    const { interaction, channel, message } = find(request);
    if (interaction) countInChannel('channelReplyEdits', interaction);
    const { body: raw, files } = formOf(request);
    const body = parseBody(spec.IncomingWebhookUpdateRequestPartialSchema, raw);
    const said = { body, files, at: [] };
    if (!interaction) requireOpen(channel);
    const edit = interaction
      ? editRequest(context, interaction, message, channel, said)
      : { ...said, sentAs: 'webhook' as const, mayMentionEveryone: true };
    return serialize(await messages.edit(message, channel, edit));
  });

  app.delete<WebhookMessage>(path, { config }, async (request) => {
    const { channel, message } = find(request);
    if (message.reader === null) requireOpen(channel);
    messages.remove(message);
  });
}
