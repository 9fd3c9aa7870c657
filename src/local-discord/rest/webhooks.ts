import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code, ApplicationIntegrationType as Install } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { answerRequest, mayMentionEveryone } from '../interactions/callback.ts';
import { parseBody } from '../rules/body.ts';
import { refusal } from '../rules/errors.ts';
import { tooMany } from '../rules/rate-limits.ts';
import { isLoading } from '../state/messages.ts';
import type { Channel, Interaction } from '../state/state.ts';
import { wireMessage } from '../wire/message.ts';
import { formOf, noContent, type Parts } from './api.ts';

interface Webhook {
  Params: { applicationId: string; token: string };
}
interface WebhookMessage {
  Params: { applicationId: string; token: string; messageId: string };
}

/** Of an app that is only installed to the user. Source: 'Receiving and Responding', followup messages. */
const USER_INSTALL_FOLLOW_UPS = 5;

/** What an interaction's token opens for 15 minutes. Source: 'Receiving and Responding', endpoints. */
export function routeWebhooks(app: FastifyInstance, parts: Parts): void {
  const { core, messages, interactions, rateLimits } = parts;
  const { state, links } = core;
  const config = { auth: 'token', bucket: { name: 'interactionWebhook', of: 'token' } } as const;

  function place(interaction: Interaction): Channel {
    const channel = state.channels.get(interaction.channelId);
    if (!channel) throw refusal(Code.UnknownChannel);
    return channel;
  }

  function find({ params }: { params: WebhookMessage['Params'] }) {
    const interaction = interactions.open(params.applicationId, params.token);
    const channel = place(interaction);
    const id = params.messageId === '@original' ? interaction.originalMessageId : params.messageId;
    const message = state.messages.get(id ?? '');
    if (!message || !interaction.messageIds.includes(message.id)) throw refusal(Code.UnknownMessage);
    return { interaction, channel, message };
  }

  app.post<Webhook>('/webhooks/:applicationId/:token', { config }, async (request) => {
    const interaction = interactions.open(request.params.applicationId, request.params.token);
    const channel = place(interaction);
    const { body: raw, files } = formOf(request);
    const body = parseBody(spec.IncomingWebhookRequestPartialSchema, raw);
    const asked = { body, files, at: [], mayMentionEveryone: mayMentionEveryone(core, interaction, channel) };

    const original = state.messages.get(interaction.originalMessageId ?? '');
    if (original && isLoading(original)) {
      return wireMessage(state, links, await messages.edit(original, channel, asked));
    }
    countFollowUp(interaction);
    const message = await messages.create(answerRequest(core, interaction, channel, asked));
    interaction.messageIds.push(message.id);
    return wireMessage(state, links, message);
  });

  function countFollowUp(interaction: Interaction): void {
    const userOnly = interaction.provenance.owners[Install.GuildInstall] === undefined;
    if (userOnly && interaction.followUps >= USER_INSTALL_FOLLOW_UPS) {
      throw refusal(Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages);
    }
    const taken = rateLimits.take('channelFollowUps', interaction.channelId);
    if (taken && !taken.allowed) {
      const message = 'The write action you are performing on the channel has hit the write rate limit.';
      throw tooMany(taken, 'shared', { code: Code.ChannelSendRateLimit, message });
    }
    interaction.followUps++;
  }

  app.get<WebhookMessage>(
    '/webhooks/:applicationId/:token/messages/:messageId',
    { config },
    async (request) => wireMessage(state, links, find(request).message),
  );

  app.patch<WebhookMessage>(
    '/webhooks/:applicationId/:token/messages/:messageId',
    { config },
    async (request) => {
      const { interaction, channel, message } = find(request);
      const { body: raw, files } = formOf(request);
      const body = parseBody(spec.IncomingWebhookUpdateRequestPartialSchema, raw);
      const asked = {
        body,
        files,
        at: [],
        mayMentionEveryone: mayMentionEveryone(core, interaction, channel),
      };
      return wireMessage(state, links, await messages.edit(message, channel, asked));
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
