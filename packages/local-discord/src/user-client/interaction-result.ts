import { InteractionType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { InitialResponse } from '../interactions/interactions.ts';
import { serializeMessage } from '../serialize/message.ts';
import type { Interaction } from '../state/state.ts';
import type { InteractionResult } from './shapes.ts';

/** What Discord's client shows when no answer came in time. */
const FAILURES: Partial<Record<InteractionType, string>> = {
  [InteractionType.ApplicationCommand]: 'The application did not respond',
  [InteractionType.MessageComponent]: 'This interaction failed',
  [InteractionType.ModalSubmit]: 'Something went wrong. Try again.',
};

/** The first answer as its person sees it. */
export function toInteractionResult(
  context: Context,
  { metadata }: Interaction,
  first: InitialResponse,
): InteractionResult {
  const { id: interactionId, userId } = metadata;
  switch (first.kind) {
    case 'message':
    case 'update': {
      const message = context.state.messages.get(first.messageId);
      return message
        ? { kind: first.kind, interactionId, message: serializeMessage(context, message, userId) }
        : { kind: 'acknowledged', interactionId };
    }
    case 'modal':
      return { kind: 'modal', interactionId, modal: first.modal };
    case 'lost':
      return { kind: 'failure', interactionId, text: FAILURES[metadata.type] ?? '' };
    default:
      return { kind: 'acknowledged', interactionId };
  }
}
