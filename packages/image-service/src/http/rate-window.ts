import type { Clock } from '@darkroom/time';
import type { Allowance } from '../rate-limit.ts';

/** How many subjects are remembered; beyond that the oldest is forgotten. */
const MAX_SUBJECTS = 10_000;

/** Counts what each subject does, in windows that begin with the first time. In the memory of this process. */
export function createRateWindow({ clock, windowMs }: { clock: Clock; windowMs: number }) {
  const windows = new Map<string, { endsAt: number; used: number }>();

  function windowOf(subject: string, now: number) {
    const known = windows.get(subject);
    if (known && known.endsAt > now) return known;
    const begun = { endsAt: now + windowMs, used: 0 };
    // Behind all others, so that the first of the map is the oldest.
    windows.delete(subject);
    windows.set(subject, begun);
    const [oldest] = windows.keys();
    if (windows.size > MAX_SUBJECTS && oldest !== undefined) windows.delete(oldest);
    return begun;
  }

  /** Counts one more time, unless that is beyond `max`. */
  return (subject: string, max: number): Allowance => {
    const now = clock.now();
    const window = windowOf(subject, now);
    const allowed = window.used < max;
    if (allowed) window.used += 1;
    return { allowed, max, remaining: Math.max(0, max - window.used), resetMs: window.endsAt - now };
  };
}
