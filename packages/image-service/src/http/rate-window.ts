import { type Clock, createCache } from '@darkroom/time';
import type { Allowance } from '../rate-limit.ts';

/** How many subjects are remembered; beyond that the oldest is forgotten. */
const MAX_SUBJECTS = 10_000;

/** Counts what each subject does, in windows of its own: one begins with the first time after the last has ended. */
export function createRateWindow({ clock, windowMs }: { clock: Clock; windowMs: number }) {
  const windows = createCache<string, { endsAt: number; used: number }>({
    max: MAX_SUBJECTS,
    ttlMs: windowMs,
    clock,
  });

  /** Counts one more time, unless that is beyond `max`. */
  return (subject: string, max: number): Allowance => {
    const now = clock.now();
    const window = windows.recall(subject, () => ({ endsAt: now + windowMs, used: 0 }));
    const allowed = window.used < max;
    if (allowed) window.used += 1;
    return { allowed, max, remaining: Math.max(0, max - window.used), resetMs: window.endsAt - now };
  };
}
