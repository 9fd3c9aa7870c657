import type { APIMessage } from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import type { Happening } from '../state/feed.ts';
import { wireMessage } from '../wire/message.ts';
import type { HandEvent } from './hand.ts';
import type { Sight } from './sight.ts';

const PATIENCE_MS = 10_000;

/** Tells one person's listeners what that person sees happen. */
export function createWatching({ core, sight }: { core: Core; sight: Sight }) {
  const { state, links, feed, log } = core;
  const listeners = new Set<(event: HandEvent) => void>();

  function tell(event: HandEvent): void {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        log.error({ err: error, event: event.type }, 'a watcher failed');
      }
    }
  }

  feed.subscribe((happening) => {
    const event = listeners.size > 0 ? seen(happening) : undefined;
    if (event) tell(event);
  });

  function seen(happening: Happening): HandEvent | undefined {
    switch (happening.type) {
      case 'message-created':
      case 'message-updated': {
        const { type, message } = happening;
        return sight.sees(message) ? { type, message: wireMessage(state, links, message) } : undefined;
      }
      case 'message-deleted': {
        const { id: messageId, channelId } = happening.message;
        return sight.sees(happening.message) ? { type: 'message-deleted', channelId, messageId } : undefined;
      }
      case 'commands-changed':
        return { type: 'commands-changed' };
      case 'interaction-changed':
      case 'typing-started':
        return undefined;
      default:
        return { type: 'guilds-changed' };
    }
  }

  return {
    tell,
    watch(listener: (event: HandEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async waitForMessage(
      matches: (message: APIMessage) => boolean,
      {
        channelId,
        signal = AbortSignal.timeout(PATIENCE_MS),
      }: { channelId?: string; signal?: AbortSignal } = {},
    ): Promise<APIMessage> {
      signal.throwIfAborted();
      const fits = (message: APIMessage) =>
        (channelId === undefined || message.channel_id === channelId) && matches(message);
      for (const message of state.messages.values()) {
        const wired = sight.sees(message) && wireMessage(state, links, message);
        if (wired && fits(wired)) return wired;
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          listeners.delete(listener);
          signal.removeEventListener('abort', give);
        };
        const give = () => {
          end();
          reject(signal.reason);
        };
        const listener = (event: HandEvent) => {
          if (event.type !== 'message-created' && event.type !== 'message-updated') return;
          if (!fits(event.message)) return;
          end();
          resolve(event.message);
        };
        listeners.add(listener);
        signal.addEventListener('abort', give);
      });
    },
  };
}

export type Watching = ReturnType<typeof createWatching>;
