import { raceAbort } from '@darkroom/time';
import type { APIMessage } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { serializeMessage } from '../serialize/message.ts';
import type { StateEvent } from '../state/event-bus.ts';
import type { UserClientEvent } from './shapes.ts';
import type { Visibility } from './visibility.ts';

const WAIT_TIMEOUT_MS = 10_000;

/** Sends the events that one person sees to that person's listeners. */
export function createSubscriptions({ context, visibility }: { context: Context; visibility: Visibility }) {
  const { state, events, log } = context;
  const listeners = new Set<(event: UserClientEvent) => void>();

  function publish(event: UserClientEvent): void {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        log.error({ err: error, event: event.type }, 'an event listener failed');
      }
    }
  }

  events.subscribe((stateEvent) => {
    const event = listeners.size > 0 ? visibleEvent(stateEvent) : undefined;
    if (event) publish(event);
  });

  function visibleEvent(event: StateEvent): UserClientEvent | undefined {
    switch (event.type) {
      case 'message-created':
      case 'message-updated':
      case 'reaction-added':
      case 'reaction-removed': {
        const { message } = event;
        const type = event.type === 'message-created' ? event.type : 'message-updated';
        return visibility.canSee(message)
          ? { type, message: serializeMessage(context, message, visibility.userId) }
          : undefined;
      }
      case 'message-deleted': {
        const { id: messageId, channelId } = event.message;
        return visibility.canSee(event.message)
          ? { type: 'message-deleted', channelId, messageId }
          : undefined;
      }
      case 'message-dismissed': {
        const { id: messageId, channelId, reader } = event.message;
        return reader === visibility.userId ? { type: 'message-deleted', channelId, messageId } : undefined;
      }
      case 'commands-changed':
        return { type: 'commands-changed' };
      case 'locale-changed':
        return event.user.id === visibility.userId
          ? { type: 'locale-changed', locale: event.user.locale }
          : undefined;
      case 'interaction-changed':
      case 'typing-started':
      case 'messages-deleted':
        return undefined;
      default:
        return { type: 'guilds-changed' };
    }
  }

  /** Calls `listener` with every event that this person sees, in order, until the returned function is called. */
  function subscribe(listener: (event: UserClientEvent) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    publish,
    subscribe,
    /**
     * The first message that this person sees and that `matches`: one that is there, or one that appears or changes.
     * @throws the signal's reason; without a signal it gives up after 10 s
     */
    async waitForMessage(
      matches: (message: APIMessage) => boolean,
      {
        channelId,
        signal = AbortSignal.timeout(WAIT_TIMEOUT_MS),
      }: { channelId?: string; signal?: AbortSignal } = {},
    ): Promise<APIMessage> {
      signal.throwIfAborted();
      const isWanted = (message: APIMessage) =>
        (channelId === undefined || message.channel_id === channelId) && matches(message);
      for (const message of state.messages.values()) {
        const visible = visibility.canSee(message) && serializeMessage(context, message, visibility.userId);
        if (visible && isWanted(visible)) return visible;
      }
      let unsubscribe = () => {};
      const appears = new Promise<APIMessage>((resolve) => {
        unsubscribe = subscribe((event) => {
          const isShown = event.type === 'message-created' || event.type === 'message-updated';
          if (isShown && isWanted(event.message)) resolve(event.message);
        });
      });
      return raceAbort(signal, appears).finally(unsubscribe);
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
