import type { ClockOrigin } from '../../support/hurried-clock.ts';

/** What the bot of a storm is begun with. */
export interface StormBot {
  token: string;
  apiUrl: string;
  imageUrl: string;
  imageKey: string;
  /** Path of the SQLite file. */
  store: string;
  secret: string;
  /** File that the log is appended to. */
  log: string;
  clock: { factor: number; origin: ClockOrigin };
}

/** What a storm tells its bot: to begin, to let time leap, or to say what is unfinished. */
export type ToBot = { begin: StormBot } | { leap: number } | { ask: 'unfinished' };

export type FromBot = { ready: true } | { unfinished: Unfinished[] };

/** A job that is not over. */
export interface Unfinished {
  memberId: string;
  /** Whether it does so by itself; else its member has to fetch it. */
  goesOn: boolean;
}
