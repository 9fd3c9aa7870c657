import type { Context } from '../context.ts';
import { isThread } from './channels.ts';
import type { Messages } from './messages.ts';
import type { Channel } from './state.ts';

/**
 * Removes a channel with its messages and threads. What stood in a category stays, in none. Source: 'Channel',
 * Delete/Close Channel.
 */
export function removeChannel({ state, events }: Context, messages: Messages, channel: Channel): void {
  const gone = [...state.channels.values()].filter(
    (other) => other === channel || (isThread(other) && other.parentId === channel.id),
  );
  for (const { id } of gone) state.channels.delete(id);
  for (const { id, channelId } of state.webhooks.values()) {
    if (channelId === channel.id) state.webhooks.delete(id);
  }
  for (const message of state.messages.values()) {
    if (gone.some(({ id }) => id === message.channelId)) messages.remove(message);
  }
  // Source: 'Threads': of threads that go with their channel nothing is said.
  events.publish({ type: 'channel-deleted', channel });
  for (const child of state.channels.values()) {
    if (child.parentId !== channel.id) continue;
    child.parentId = null;
    events.publish({ type: 'channel-updated', channel: child });
  }
}
