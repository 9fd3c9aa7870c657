import type { ModalValues, OptionValues, Upload } from '../user-client/shapes.ts';
import type { UserClient } from '../user-client/user-client.ts';
import type { Action, ActionResult, ModalInput, OptionInput, UploadInput } from './protocol.ts';

const readUpload = ({ name, base64 }: UploadInput): Upload => ({
  name,
  bytes: Buffer.from(base64, 'base64'),
});

function readOptions(options: Record<string, OptionInput>): OptionValues {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === 'object' ? readUpload(value) : value,
    ]),
  );
}

function readFields(values: Record<string, ModalInput>): ModalValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isFiles(value) ? value.map(readUpload) : value]),
  );
}

const isFiles = (value: ModalInput): value is UploadInput[] =>
  Array.isArray(value) && value.some((one) => typeof one === 'object');

/** Runs an action of the page. @throws {UserClientError} where Discord's client would not let them */
export async function runAction(client: UserClient, action: Action): Promise<ActionResult[Action['do']]> {
  switch (action.do) {
    case 'say':
      return client.say(action.channelId, action.content, action.uploads.map(readUpload));
    case 'invoke':
      return client.invoke(action.channelId, action.command, readOptions(action.options), action.nonce);
    case 'invoke-on':
      return client.invokeOn(action.channelId, action.command, action.messageId, action.nonce);
    case 'autocomplete':
      return client.autocomplete(
        action.channelId,
        action.command,
        readOptions(action.options),
        action.focused,
      );
    case 'press':
      return client.press(action.messageId, action.customId);
    case 'select':
      return client.select(action.messageId, action.customId, action.values);
    case 'submit-modal':
      return client.submitModal(action.interactionId, readFields(action.values));
    case 'close-modal':
      client.closeModal(action.interactionId);
      return null;
    case 'react':
      if (action.on) client.react(action.messageId, action.emoji);
      else client.unreact(action.messageId, action.emoji);
      return null;
    case 'dismiss':
      client.dismiss(action.messageId);
      return null;
    case 'change-locale':
      client.changeLocale(action.locale);
      return null;
  }
}
