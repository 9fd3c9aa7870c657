import { InteractionType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { InitialResponse, Interactions, NewInteraction } from '../interactions/interactions.ts';
import { forcesEphemeral } from '../rules/command-access.ts';
import { serializeMessage } from '../serialize/message.ts';
import type { Interaction, InteractionMetadata, User } from '../state/state.ts';
import type { InteractionResult, OpenModal } from './shapes.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface SenderServices {
  context: Context;
  interactions: Interactions;
  user: User;
  subscriptions: Subscriptions;
}

/** How many modals of a person stay open: one in each of their tabs. */
const MAX_MODALS = 20;

/** What Discord's client shows when no answer came in time. */
const FAILURES: Partial<Record<InteractionType, string>> = {
  [InteractionType.ApplicationCommand]: 'The application did not respond',
  [InteractionType.MessageComponent]: 'This interaction failed',
  [InteractionType.ModalSubmit]: 'Something went wrong. Try again.',
};

/** Sends a person's interactions, and holds the modals that they opened. */
export function createInteractionSender({ context, interactions, user, subscriptions }: SenderServices) {
  const open = new Map<string, { form: OpenModal; from: InteractionMetadata }>();

  /** Starts an interaction and waits for its first answer. */
  async function send(
    request: Pick<NewInteraction, 'type' | 'applicationId' | 'channel' | 'owners' | 'data'> &
      Partial<NewInteraction>,
    nonce: string | null = null,
  ): Promise<InteractionResult> {
    const { interaction, answer } = interactions.start({
      ...request,
      userId: user.id,
      forcedEphemeral: forcesEphemeral(context.state, user.id, request.channel, request.owners),
    });
    const { id } = interaction.metadata;
    subscriptions.publish({ type: 'interaction-sent', interactionId: id, nonce });
    const first = await answer;
    if (first.kind === 'modal') {
      const { metadata: from, channelId } = interaction;
      const { applicationId } = from;
      open.set(id, { form: { interactionId: id, channelId, applicationId, modal: first.modal }, from });
      for (const oldest of [...open.keys()].slice(0, -MAX_MODALS)) open.delete(oldest);
    }
    return toInteractionResult(context, interaction, first);
  }

  return {
    send,
    modal: {
      get: (interactionId: string) => open.get(interactionId),
      close: (interactionId: string) => void open.delete(interactionId),
    },
  };
}

/** The first answer as its person sees it. */
function toInteractionResult(
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
