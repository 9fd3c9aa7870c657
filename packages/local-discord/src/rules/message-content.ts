import { type APIMessage, GatewayIntentBits as Intent } from 'discord-api-types/v10';
import type { State } from '../state/state.ts';

/** Whether an application may read what people write, by REST as well. Source: 'Gateway', HTTP restrictions. */
export const readsContent = (state: State, applicationId: string): boolean =>
  ((state.applications.get(applicationId)?.privilegedIntents ?? 0) & Intent.MessageContent) !== 0;

/**
 * A message as a bot gets it that may not read what people write: empty, unless it is the bot's own or mentions it,
 * or stands in a direct conversation (`isDirect`). Source: 'Gateway', message content intent.
 */
export function withoutContent(message: APIMessage, botId: string, isDirect: boolean): APIMessage {
  const { author, mentions, referenced_message: answered } = message;
  const isMeant = isDirect || author.id === botId || mentions.some(({ id }) => id === botId);
  return {
    ...message,
    ...(!isMeant && { content: '', embeds: [], attachments: [], components: [] }),
    ...(!isMeant && message.message_snapshots && { message_snapshots: [] }),
    ...(answered && { referenced_message: withoutContent(answered, botId, isDirect) }),
  };
}
