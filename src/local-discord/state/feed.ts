import type { Channel, Guild, Interaction, Message } from './state.ts';

/** Something that happened. The gateway tells bots of it, hands tell people of it, storage writes it down. */
export type Happening =
  | { type: 'message-created' | 'message-updated' | 'message-deleted'; message: Message }
  | { type: 'channel-created' | 'channel-deleted'; channel: Channel }
  | { type: 'typing-started'; channel: Channel; userId: string }
  | { type: 'guild-joined' | 'guild-left'; guild: Guild; userId: string }
  /** Roles, overwrites, words. */
  | { type: 'guild-changed'; guild: Guild }
  | { type: 'commands-changed' }
  | { type: 'interaction-changed'; interaction: Interaction };

/** Listeners are called in order, within `publish`; one that throws stops the publisher, so none may. */
export function createFeed() {
  const listeners = new Set<(happening: Happening) => void>();

  return {
    publish(happening: Happening): void {
      for (const listener of [...listeners]) listener(happening);
    },
    subscribe(listener: (happening: Happening) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Feed = ReturnType<typeof createFeed>;
