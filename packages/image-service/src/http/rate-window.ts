import { type Clock, createCache, MINUTE_MS } from '@darkroom/time';
import { type Allowance, rateLimited } from '../rate-limit.ts';

/** How many subjects are remembered; beyond that the oldest is forgotten. */
const MAX_SUBJECTS = 10_000;

/** Counts what each subject does, in minutes of its own: one begins with the first time after the last has ended. */
export function createRateWindow(clock: Clock) {
  const windows = createCache<string, { endsAt: number; used: number }>({
    max: MAX_SUBJECTS,
    ttlMs: MINUTE_MS,
    clock,
  });

  /** Counts one more time, unless that is beyond `max`. */
  return (subject: string, max: number): Allowance => {
    const now = clock.now();
    const window = windows.recall(subject, () => ({ endsAt: now + MINUTE_MS, used: 0 }));
    const allowed = window.used < max;
    if (allowed) window.used += 1;
    return { allowed, max, remaining: Math.max(0, max - window.used), resetMs: window.endsAt - now };
  };
}

/** Counts what each account does in a minute. What it returns throws an API error beyond `max`; `what`: to do what. */
export function limitAccounts(clock: Clock, max: number, what: string): (accountId: number) => void {
  const count = createRateWindow(clock);
  return (accountId) => {
    const allowance = count(String(accountId), max);
    if (!allowance.allowed) throw rateLimited(`An account may ${what} ${max} times a minute.`, allowance);
  };
}
