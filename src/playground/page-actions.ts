import type { Hand, OptionValues, Upload } from '../local-discord/hand/hand.ts';
import type { Action, ActionReply, WireOptionValue, WireUpload } from './wire.ts';

const readUpload = ({ name, base64 }: WireUpload): Upload => ({ name, bytes: Buffer.from(base64, 'base64') });

function readOptions(options: Record<string, WireOptionValue>): OptionValues {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === 'object' ? readUpload(value) : value,
    ]),
  );
}

/** Does what somebody did on the page. @throws {Refusal} where Discord's client would not let them */
export async function perform(hand: Hand, action: Action): Promise<ActionReply[Action['do']]> {
  switch (action.do) {
    case 'say':
      return hand.say(action.channelId, action.content, action.uploads.map(readUpload));
    case 'invoke':
      return hand.invoke(action.channelId, action.command, readOptions(action.options));
    case 'autocomplete':
      return hand.autocomplete(action.channelId, action.command, readOptions(action.options), action.focused);
    case 'press':
      return hand.press(action.messageId, action.customId);
    case 'select':
      return hand.select(action.messageId, action.customId, action.values);
    case 'submit-modal':
      return hand.submitModal(action.interactionId, action.values);
    case 'close-modal':
      hand.closeModal(action.interactionId);
      return null;
    case 'dismiss':
      hand.dismiss(action.messageId);
      return null;
    case 'delete':
      hand.deleteMessage(action.messageId);
      return null;
    case 'open-dm':
      return hand.openDirectMessage(action.botId);
  }
}
