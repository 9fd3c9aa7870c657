import type { Clock } from '@darkroom/time';
import type { Message } from '../state/state.ts';

/** 'Past few minutes' is all that Discord says. Source: 'Message', Create Message, `enforce_nonce`. */
const MEMORY_MS = 3 * 60_000;

/** Remembers what a bot created with which nonce, also while it is still being created. */
export function createNonces({ clock }: { clock: Clock }) {
  const known = new Map<string, { message: Promise<Message>; at: number }>();

  function removeOld(): void {
    for (const [key, { at }] of known) {
      if (clock.now() - at < MEMORY_MS) break;
      known.delete(key);
    }
  }

  return {
    /** The message that this author created with this nonce before, else the one that `create` makes. */
    async once(authorId: string, nonce: string | number, create: () => Promise<Message>): Promise<Message> {
      removeOld();
      const key = `${authorId} ${nonce}`;
      const before = known.get(key);
      if (before) return before.message;
      const message = create();
      known.set(key, { message, at: clock.now() });
      message.catch(() => known.delete(key));
      return message;
    },
  };
}

export type Nonces = ReturnType<typeof createNonces>;
