import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord-api-types/v10';
import type { Hand } from '../local-discord/hand/hand.ts';

/** The first text field of a form. */
function firstField({ components }: APIModalInteractionResponseCallbackData): string {
  for (const component of components) {
    if (component.type === ComponentType.Label) return component.component.custom_id;
    if (component.type === ComponentType.ActionRow && component.components[0])
      return component.components[0].custom_id;
  }
  throw new Error('the form has no field');
}

/** Links a person's key with the bot the way anybody does: `/apikey link`, in the conversation with it. */
export async function introduce(hand: Hand, botId: string, apiKey: string): Promise<void> {
  const { id: channelId } = hand.openDirectMessage(botId);
  const form = await hand.invoke(channelId, 'apikey link');
  if (form.kind !== 'modal') throw new Error(`/apikey link answered with ${form.kind}, not with a form`);
  const answer = await hand.submitModal(form.interactionId, { [firstField(form.modal)]: apiKey });
  if (answer.kind !== 'message') throw new Error(`the form of /apikey link answered with ${answer.kind}`);
  const linked = await hand.waitForMessage(({ id, content }) => id === answer.message.id && content !== '');
  hand.dismiss(linked.id);
}
