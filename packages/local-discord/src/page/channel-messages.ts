import type { APIMessage } from 'discord-api-types/v10';
import type { PageEvent } from '../page-server/protocol.ts';

export type MessageEvent = Extract<
  PageEvent,
  { type: 'message-created' | 'message-updated' | 'message-deleted' }
>;

/** The messages of a channel after an event. A change of one that is not among them belongs to an older page. */
export function after(messages: APIMessage[], event: MessageEvent): APIMessage[] {
  if (event.type === 'message-deleted') return messages.filter(({ id }) => id !== event.messageId);
  const { message } = event;
  const index = messages.findIndex(({ id }) => id === message.id);
  if (index >= 0) return messages.with(index, message);
  if (event.type === 'message-updated') return messages;
  return [...messages, message].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

export const channelOf = (event: MessageEvent): string =>
  event.type === 'message-deleted' ? event.channelId : event.message.channel_id;
