import type { Channel, Guild, Interaction, Member, Message, Role, User } from './state.ts';

/** A change of the state. The gateway sends it to bots, user clients tell people of it, storage saves it. */
export type StateEvent =
  | { type: 'message-created' | 'message-updated' | 'message-dismissed'; message: Message }
  /** `inBulk`: bots hear of all of them at once. */
  | { type: 'message-deleted'; message: Message; inBulk: boolean }
  | { type: 'messages-deleted'; channel: Channel; ids: string[] }
  | { type: 'reaction-added' | 'reaction-removed'; message: Message; emoji: string; userId: string }
  | { type: 'channel-created' | 'channel-updated' | 'channel-deleted' | 'webhooks-changed'; channel: Channel }
  | { type: 'typing-started'; channel: Channel; userId: string }
  | { type: 'member-added' | 'member-updated' | 'member-removed'; guild: Guild; member: Member }
  | { type: 'role-created' | 'role-updated' | 'role-deleted'; guild: Guild; role: Role }
  | { type: 'ban-added' | 'ban-removed'; guild: Guild; userId: string }
  | { type: 'thread-member-changed'; channel: Channel; userId: string; isMember: boolean }
  | { type: 'guild-deleted' | 'blocked-words-changed'; guild: Guild }
  | { type: 'commands-changed' }
  | { type: 'locale-changed'; user: User }
  | { type: 'interaction-changed'; interaction: Interaction };

/** Listeners are called in order, within `publish`; one that throws stops the publisher, so none may. */
export function createEventBus() {
  const listeners = new Set<(event: StateEvent) => void>();

  return {
    publish(event: StateEvent): void {
      for (const listener of [...listeners]) listener(event);
    },
    subscribe(listener: (event: StateEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type EventBus = ReturnType<typeof createEventBus>;
