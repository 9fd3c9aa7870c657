import { type Clock, HOUR_MS } from '@darkroom/time';
import type { Store } from '../storage/store.ts';

/**
 * How often an hour a member may have the service asked of what they type or own. Whoever means it well tries a key
 * twice; who has a list of stolen ones shall not try them here.
 */
const PER_HOUR = { key: 10, balance: 30 };
export type AttemptKind = keyof typeof PER_HOUR;

/** Counted in the store: neither a restart nor another process begins anew. */
export type Attempts = ReturnType<typeof createAttempts>;

export const createAttempts = ({ store, clock }: { store: Pick<Store, 'take'>; clock: Clock }) => ({
  /** Counts one more. Where it is one too many: when the next may be, in milliseconds since the epoch. */
  async take(kind: AttemptKind, memberId: string): Promise<{ until: number } | undefined> {
    const hour = Math.floor(clock.now() / HOUR_MS);
    const key = `attempts:${kind}:${memberId}:${hour}`;
    const { state } = await store.take([{ key, amount: 1, limit: PER_HOUR[kind], ttl: 2 * HOUR_MS }]);
    return state === 'full' ? { until: (hour + 1) * HOUR_MS } : undefined;
  },
});
