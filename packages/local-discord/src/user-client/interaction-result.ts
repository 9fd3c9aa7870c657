import { InteractionType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { InitialResponse } from '../interactions/interactions.ts';
import { serializeMessage } from '../serialize/message.ts';
import type { Interaction } from '../state/state.ts';
import type { InteractionResult, UserClientEvent } from './user-client.ts';

/** What Discord's client shows when no answer came in time. */
const FAILURES: Partial<Record<InteractionType, string>> = {
  [InteractionType.ApplicationCommand]: 'The application did not respond',
  [InteractionType.MessageComponent]: 'This interaction failed',
  [InteractionType.ModalSubmit]: 'Something went wrong. Try again.',
};

/** The first answer as its person sees it, and what their client is told of it. */
export function toInteractionResult(
  context: Context,
  { metadata, channelId }: Interaction,
  first: InitialResponse,
): { answer: InteractionResult; events: UserClientEvent[] } {
  const interactionId = metadata.id;
  const answered = (answer: InteractionResult, ...more: UserClientEvent[]) => ({
    answer,
    events: [{ type: 'interaction-answered', interactionId, answer } as const, ...more],
  });
  switch (first.kind) {
    case 'message':
    case 'update': {
      const message = context.state.messages.get(first.messageId);
      if (!message) return answered({ kind: 'acknowledged', interactionId });
      return answered({
        kind: first.kind,
        interactionId,
        message: serializeMessage(context, message, metadata.userId),
      });
    }
    case 'modal': {
      const { modal } = first;
      return answered(
        { kind: 'modal', interactionId, modal },
        { type: 'modal-opened', interactionId, channelId, modal },
      );
    }
    case 'lost': {
      const text = FAILURES[metadata.type] ?? '';
      return {
        answer: { kind: 'failure', interactionId, text },
        events: [{ type: 'interaction-failed', interactionId, channelId, text }],
      };
    }
    default:
      return answered({ kind: 'acknowledged', interactionId });
  }
}
