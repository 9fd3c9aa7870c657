import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { parseBody } from '../rules/body.ts';
import { apiError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { openDirectMessage } from '../state/direct-messages.ts';
import { accessibleChannel } from './access.ts';
import { type ChannelRoute, formOf, type Services } from './routing.ts';

/** Source: 'Channel', Get Channel, Trigger Typing Indicator; 'User', Create DM. */
export function routeChannels(app: FastifyInstance, { context }: Services): void {
  const { state, events } = context;

  app.get<ChannelRoute>('/channels/:channelId', async ({ params, applicationId }) => {
    const { channel } = accessibleChannel(state, params.channelId, applicationId);
    return serializeChannel(state, channel, applicationId);
  });

  app.post<ChannelRoute>('/channels/:channelId/typing', async ({ params, applicationId }) => {
    const { channel } = accessibleChannel(state, params.channelId, applicationId);
    events.publish({ type: 'typing-started', channel, userId: applicationId });
  });

  app.post('/users/@me/channels', async (request) => {
    const { recipient_id } = parseBody(spec.CreatePrivateChannelRequestSchema, formOf(request).body);
    if (!recipient_id) throw invalidFormBody(['recipient_id'], 'BASE_TYPE_REQUIRED');
    const recipient = state.users.get(recipient_id);
    if (!recipient) throw apiError(Code.UnknownUser);
    if (recipient.bot) throw apiError(Code.CannotSendMessagesToThisUser);
    const channel = openDirectMessage(context, request.applicationId, recipient.id);
    return serializeChannel(state, channel, request.applicationId);
  });
}
