import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { parseBody } from '../rules/body.ts';
import { invalidForm, refusal } from '../rules/errors.ts';
import { openDirectMessage } from '../state/direct-messages.ts';
import { wireChannel } from '../wire/channel.ts';
import { accessibleChannel } from './access.ts';
import { formOf, noContent, type Parts } from './api.ts';

/** Source: 'Channel', Get Channel, Trigger Typing Indicator; 'User', Create DM. */
export function routeChannels(app: FastifyInstance, { core }: Parts): void {
  const { state, feed } = core;

  app.get<{ Params: { channelId: string } }>('/channels/:channelId', async ({ params, applicationId }) => {
    const { channel } = accessibleChannel(state, params.channelId, applicationId);
    return wireChannel(state, channel, applicationId);
  });

  app.post<{ Params: { channelId: string } }>(
    '/channels/:channelId/typing',
    async ({ params, applicationId }, reply) => {
      const { channel } = accessibleChannel(state, params.channelId, applicationId);
      feed.publish({ type: 'typing-started', channel, userId: applicationId });
      return noContent(reply);
    },
  );

  app.post('/users/@me/channels', async (request) => {
    const { recipient_id } = parseBody(spec.CreatePrivateChannelRequestSchema, formOf(request).body);
    if (!recipient_id) throw invalidForm(['recipient_id'], 'BASE_TYPE_REQUIRED', 'This field is required');
    const recipient = state.users.get(recipient_id);
    if (!recipient) throw refusal(Code.UnknownUser);
    if (recipient.bot) throw refusal(Code.CannotSendMessagesToThisUser);
    const channel = openDirectMessage(core, request.applicationId, recipient.id);
    return wireChannel(state, channel, request.applicationId);
  });
}
