import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code, ApplicationIntegrationType as Install } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { answerRequest, mayMentionEveryone } from '../interactions/callback.ts';
import { parseBody } from '../rules/body.ts';
import { apiError } from '../rules/errors.ts';
import { rateLimited } from '../rules/rate-limits.ts';
import { serializeMessage } from '../serialize/message.ts';
import { isLoading } from '../state/messages.ts';
import type { Channel, Interaction, Message } from '../state/state.ts';
import { formOf, noContent, type Services } from './routing.ts';

interface Webhook {
  Params: { applicationId: string; token: string };
}
interface WebhookMessage {
  Params: { applicationId: string; token: string; messageId: string };
}

/** Of an app that is only installed to the user. Source: 'Receiving and Responding', followup messages. */
const USER_INSTALL_FOLLOW_UPS = 5;

/** What an interaction's token opens for 15 minutes. Source: 'Receiving and Responding', endpoints. */
export function routeWebhooks(app: FastifyInstance, services: Services): void {
  const { context, messages, interactions, rateLimits } = services;
  const { state } = context;
  /** An interaction's messages are its application's own. */
  const serialize = (message: Message) => serializeMessage(context, message, message.authorId);
  const config = { auth: 'token', bucket: { name: 'interactionWebhook', of: 'token' } } as const;

  function place(interaction: Interaction): Channel {
    const channel = state.channels.get(interaction.channelId);
    if (!channel) throw apiError(Code.UnknownChannel);
    return channel;
  }

  function find({ params }: { params: WebhookMessage['Params'] }) {
    const interaction = interactions.open(params.applicationId, params.token);
    const channel = place(interaction);
    const id = params.messageId === '@original' ? interaction.originalMessageId : params.messageId;
    const message = id && state.messages.get(id);
    if (!message || !interaction.messageIds.includes(message.id)) throw apiError(Code.UnknownMessage);
    return { interaction, channel, message };
  }

  app.post<Webhook>('/webhooks/:applicationId/:token', { config }, async (request) => {
    const interaction = interactions.open(request.params.applicationId, request.params.token);
    const channel = place(interaction);
    const { body: raw, files } = formOf(request);
    const body = parseBody(spec.IncomingWebhookRequestPartialSchema, raw);
    const requested = {
      body,
      files,
      at: [],
      mayMentionEveryone: mayMentionEveryone(context, interaction, channel),
    };

    const { originalMessageId } = interaction;
    const original = originalMessageId && state.messages.get(originalMessageId);
    if (original && isLoading(original)) {
      return serialize(await messages.edit(original, channel, requested));
    }
    countFollowUp(interaction);
    const message = await messages.create(answerRequest(context, interaction, channel, requested));
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
    const taken = rateLimits.take(name, channelId);
    if (!taken || taken.allowed) return;
    const message = 'The write action you are performing on the channel has hit the write rate limit.';
    throw rateLimited(taken, 'shared', { code: Code.ChannelSendRateLimit, message });
  }

  app.get<WebhookMessage>(
    '/webhooks/:applicationId/:token/messages/:messageId',
    { config },
    async (request) => serialize(find(request).message),
  );

  app.patch<WebhookMessage>(
    '/webhooks/:applicationId/:token/messages/:messageId',
    { config },
    async (request) => {
      const { interaction, channel, message } = find(request);
      countInChannel('channelReplyEdits', interaction);
      const { body: raw, files } = formOf(request);
      const body = parseBody(spec.IncomingWebhookUpdateRequestPartialSchema, raw);
      const requested = {
        body,
        files,
        at: [],
        mayMentionEveryone: mayMentionEveryone(context, interaction, channel),
      };
      return serialize(await messages.edit(message, channel, requested));
    },
  );

  app.delete<WebhookMessage>(
    '/webhooks/:applicationId/:token/messages/:messageId',
    { config },
    async (request, reply) => {
      messages.remove(find(request).message);
      return noContent(reply);
    },
  );
}
