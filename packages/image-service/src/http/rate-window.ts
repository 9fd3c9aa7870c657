import { type Clock, createCache, MINUTE_MS } from '@darkroom/time';
import { countInMinute, type RateState, type RateWindow, rateLimited } from '../rate-limit.ts';

/** How many subjects are remembered; beyond that the oldest is forgotten. */
const MAX_SUBJECTS = 10_000;

/** Counts what each subject does in a minute, see `countInMinute`. */
export function createRateWindow(clock: Clock) {
  const windows = createCache<string, RateWindow>({ max: MAX_SUBJECTS, ttlMs: MINUTE_MS, clock });

  /** Counts one more time, unless that is beyond `max`. */
  return (subject: string, max: number): RateState => {
    const { window, rateState } = countInMinute(windows.get(subject), max, clock.now());
    windows.set(subject, window);
    return rateState;
  };
}

/** Counts what each account does in a minute. What it returns throws an API error beyond `max`; `what`: to do what. */
export function limitAccounts(clock: Clock, max: number, what: string): (accountId: number) => void {
  const count = createRateWindow(clock);
  return (accountId) => {
    const rateState = count(String(accountId), max);
    if (!rateState.allowed) throw rateLimited(`An account may ${what} ${max} times a minute.`, rateState);
  };
}
