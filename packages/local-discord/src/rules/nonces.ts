import { type Clock, createCache } from '@darkroom/time';
import type { Message } from '../state/state.ts';

/** 'Past few minutes' is all that Discord says. Source: 'Message', Create Message, `enforce_nonce`. */
const MEMORY_MS = 3 * 60_000;

/** More than the global rate limit lets a bot send within that time. */
const MOST = 10_000;

/** Remembers what a bot created with which nonce, also while it is still being created. */
export function createNonces({ clock }: { clock: Clock }) {
  const known = createCache<string, Promise<Message>>({ max: MOST, ttlMs: MEMORY_MS, clock });

  return {
    /** The message that this author created with this nonce before, else the one that `create` makes. */
    once: (authorId: string, nonce: string | number, create: () => Promise<Message>): Promise<Message> =>
      known.recall(`${authorId} ${nonce}`, create),
  };
}

export type Nonces = ReturnType<typeof createNonces>;
