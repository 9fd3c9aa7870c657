import type { Context } from '../context.ts';
import { isThread } from './channels.ts';
import type { Messages } from './messages.ts';
import type { Channel, State } from './state.ts';

/**
 * Removes a channel with its messages and threads. What stood in a category stays, in none. Source: 'Channel',
 * Delete/Close Channel.
 */
export function removeChannel({ state, events }: Context, messages: Messages, channel: Channel): void {
  const gone = [...state.channels.values()].filter(
    (other) => other === channel || (isThread(other) && other.parentId === channel.id),
  );
  forgetChannels(state, messages, gone);
  // Source: 'Threads': of threads that go with their channel nothing is said.
  events.publish({ type: 'channel-deleted', channel });
  for (const child of state.channels.values()) {
    if (child.parentId !== channel.id) continue;
    child.parentId = null;
    events.publish({ type: 'channel-updated', channel: child });
  }
}

/** Takes channels away with their webhooks and messages, and tells nobody of the channels. */
export function forgetChannels(state: State, messages: Messages, channels: readonly Channel[]): void {
  const ids = new Set(channels.map(({ id }) => id));
  for (const id of ids) state.channels.delete(id);
  for (const { id, channelId } of state.webhooks.values()) {
    if (ids.has(channelId)) state.webhooks.delete(id);
  }
  for (const message of state.messages.values()) {
    if (ids.has(message.channelId)) messages.remove(message);
  }
}
