import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import type { Interactions, NewInteraction } from '../interactions/interactions.ts';
import { forcesEphemeral } from '../rules/command-access.ts';
import type { Provenance, User } from '../state/state.ts';
import type { Answer } from './hand.ts';
import { outcome } from './outcome.ts';
import type { Watching } from './watching.ts';

interface OpenModal {
  interactionId: string;
  channelId: string;
  modal: APIModalInteractionResponseCallbackData;
  from: Provenance;
}

/** Sends a person's interactions, tells their watchers what becomes of them, and holds the modal that opened last. */
export function createSending({
  core,
  interactions,
  user,
  watching,
}: {
  core: Core;
  interactions: Interactions;
  user: User;
  watching: Watching;
}) {
  let open: OpenModal | undefined;

  /** Starts an interaction and waits for its first answer. */
  async function send(
    request: Pick<NewInteraction, 'type' | 'applicationId' | 'channel' | 'owners' | 'data'> &
      Partial<NewInteraction>,
  ): Promise<Answer> {
    const { interaction, answer } = interactions.start({
      ...request,
      userId: user.id,
      forcedEphemeral: forcesEphemeral(core.state, user.id, request.channel, request.owners),
    });
    const { id, sourceMessageId } = interaction.provenance;
    watching.tell({
      type: 'interaction-sent',
      interactionId: id,
      channelId: request.channel.id,
      messageId: sourceMessageId,
    });
    const first = await answer;
    if (first.kind === 'modal') {
      const { provenance: from, channelId } = interaction;
      open = { interactionId: id, channelId, modal: first.modal, from };
    }
    const result = outcome(core, interaction, first);
    for (const event of result.events) watching.tell(event);
    return result.answer;
  }

  return {
    send,
    modal: {
      get: () => open,
      close(interactionId: string): void {
        if (open?.interactionId === interactionId) open = undefined;
      },
    },
  };
}
