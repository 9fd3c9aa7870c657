import type { FastifyInstance } from 'fastify';
import { respond } from '../interactions/callback.ts';
import type { InitialResponse } from '../interactions/interactions.ts';
import { serializeMessage } from '../serialize/message.ts';
import { isLoading } from '../state/messages.ts';
import type { Interaction } from '../state/state.ts';
import { type At, formOf, type Services } from './routing.ts';

/** Source: 'Receiving and Responding', Create Interaction Response. */
export function routeInteractions(app: FastifyInstance, { context, messages, interactions }: Services): void {
  const { state } = context;

  app.post<At<'id' | 'token', 'with_response'>>(
    '/interactions/:id/:token/callback',
    { config: { auth: 'token' } },
    async (request, reply) => {
      const claim = interactions.claim(request.params.id, request.params.token);
      const isAsked = request.query.with_response === 'true';
      if (isAsked) {
        const sent = new Promise<void>((resolve) => reply.raw.once('close', resolve));
        interactions.noteOutcomeOnTheWay(request.params.id, sent);
      }
      const answer = await respond(context, messages, claim.interaction, formOf(request)).catch(
        (error: unknown) => {
          claim.release();
          throw error;
        },
      );
      claim.give(answer);
      // `respond` has answered, so the body is an object with a type.
      const { type } = formOf(request).body as { type: number };
      return isAsked ? callbackResult(claim.interaction, answer, type) : undefined;
    },
  );

  /** `resource.message` is only there for answers that show a message at once. */
  function callbackResult(interaction: Interaction, answer: InitialResponse, type: number): object {
    const { metadata, channelId, guildId, originalMessageId } = interaction;
    const message = originalMessageId ? state.messages.get(originalMessageId) : undefined;
    const loading = message !== undefined && isLoading(message);
    const shown = (answer.kind === 'message' && !loading) || answer.kind === 'update';
    return {
      interaction: {
        id: metadata.id,
        type: metadata.type,
        channel_id: channelId,
        ...(guildId && { guild_id: guildId }),
        ...(message && {
          response_message_id: message.id,
          response_message_loading: loading,
          response_message_ephemeral: message.reader !== null,
        }),
      },
      resource: {
        type,
        ...(shown && message && { message: serializeMessage(context, message, metadata.applicationId) }),
      },
    };
  }
}
