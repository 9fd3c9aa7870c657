import type { Clock } from '@darkroom/time';

/** As long as an interaction's token surely lives. */
const HOLDS_MS = 14 * 60_000;

/** Messages that are remembered at most; of more than these, the oldest are forgotten. */
const MOST = 500;

/**
 * What the token of an interaction can do with a message, by what that message is about: the only way where the bot is no
 * member, or where a message is shown to its reader only. In memory.
 */
export interface TokenActions<Action> {
  remember(id: string, action: Action): void;
  /** Undefined where it is not known any more. */
  of(id: string): Action | undefined;
}

export function createTokenActions<Action>({ clock }: { clock: Pick<Clock, 'now'> }): TokenActions<Action> {
  const known = new Map<string, { action: Action; until: number }>();
  return {
    remember(id, action) {
      known.delete(id);
      known.set(id, { action, until: clock.now() + HOLDS_MS });
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
    of(id) {
      const found = known.get(id);
      return found && clock.now() < found.until ? found.action : undefined;
    },
  };
}
