import { InteractionType } from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import type { FirstAnswer } from '../interactions/interactions.ts';
import type { Interaction } from '../state/state.ts';
import { wireMessage } from '../wire/message.ts';
import type { Answer, HandEvent } from './hand.ts';

/** What Discord's client shows when no answer came in time. */
const FAILURES: Partial<Record<InteractionType, string>> = {
  [InteractionType.ApplicationCommand]: 'The application did not respond',
  [InteractionType.MessageComponent]: 'This interaction failed',
  [InteractionType.ModalSubmit]: 'Something went wrong. Try again.',
};

/** The first answer as its person sees it, and what their client is told of it. */
export function outcome(
  { state, links }: Core,
  { provenance, channelId }: Interaction,
  first: FirstAnswer,
): { answer: Answer; events: HandEvent[] } {
  const interactionId = provenance.id;
  const answered = (answer: Answer, ...more: HandEvent[]) => ({
    answer,
    events: [{ type: 'interaction-answered', interactionId, answer } as const, ...more],
  });
  switch (first.kind) {
    case 'message':
    case 'update': {
      const message = state.messages.get(first.messageId);
      if (!message) return answered({ kind: 'acknowledged', interactionId });
      return answered({ kind: first.kind, interactionId, message: wireMessage(state, links, message) });
    }
    case 'modal': {
      const { modal } = first;
      return answered(
        { kind: 'modal', interactionId, modal },
        { type: 'modal-opened', interactionId, channelId, modal },
      );
    }
    case 'lost': {
      const text = FAILURES[provenance.type] ?? '';
      return {
        answer: { kind: 'failure', interactionId, text },
        events: [{ type: 'interaction-failed', interactionId, channelId, text }],
      };
    }
    default:
      return answered({ kind: 'acknowledged', interactionId });
  }
}
