import type { Clock } from '@darkroom/time';

/** As long as an interaction's token surely lives. */
const HOLDS_MS = 14 * 60_000;

/** Messages that are remembered at most; of more than these, the oldest are forgotten. */
const MOST = 500;

/**
 * How to delete messages by the token of the interaction that asked about it: the only way where the bot is no member, or
 * where a message is shown to its reader only.
 */
export interface Deletions {
  remember(messageId: string, remove: () => Promise<void>): void;
  /** Undefined where it is not known any more; then the bot's own token may do. */
  of(messageId: string): (() => Promise<void>) | undefined;
}

export function createDeletions({ clock }: { clock: Pick<Clock, 'now'> }): Deletions {
  const known = new Map<string, { remove: () => Promise<void>; until: number }>();
  return {
    remember(messageId, remove) {
      known.delete(messageId);
      known.set(messageId, { remove, until: clock.now() + HOLDS_MS });
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
    of(messageId) {
      const found = known.get(messageId);
      return found && clock.now() < found.until ? found.remove : undefined;
    },
  };
}
