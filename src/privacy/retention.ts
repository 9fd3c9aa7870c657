import { DAY_MS } from '@darkroom/time';
import { WAITING_TTL_MS } from '../jobs/job-store.ts';

/** For how many days what is kept. */
export interface Retention {
  /** What is over: requests, what a server has used, and its audit log. */
  history: number;
  /** A picture that waits for its member. */
  waiting: number;
}

/** `historyDays`: by the operator's setting. */
export const retentionOf = (historyDays: number): Retention => ({
  history: historyDays,
  waiting: WAITING_TTL_MS / DAY_MS,
});

export const daysToMs = (days: number): number => days * DAY_MS;
