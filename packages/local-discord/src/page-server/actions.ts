import type { UserClient } from '../user-client/user-client.ts';
import type { Action, ActionResult, ReadAction } from './protocol.ts';

/** Runs an action of the page. @throws {UserClientError} where Discord's client would not let them */
export async function runAction(client: UserClient, action: ReadAction): Promise<ActionResult[Action['do']]> {
  switch (action.do) {
    case 'say':
      return client.say(action.channelId, action.content, action.uploads);
    case 'invoke':
      return client.invoke(action.channelId, action.command, action.options, action.nonce);
    case 'invoke-on':
      return client.invokeOn(action.channelId, action.command, action.messageId, action.nonce);
    case 'autocomplete':
      return client.autocomplete(action.channelId, action.command, action.options, action.focused);
    case 'press':
      return client.press(action.messageId, action.customId);
    case 'select':
      return client.select(action.messageId, action.customId, action.values);
    case 'submit-modal':
      return client.submitModal(action.interactionId, action.values);
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
