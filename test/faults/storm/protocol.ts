import type { ClockOrigin } from '../../support/hurried-clock.ts';

/** What the bot of a storm is started with. */
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

/** What a storm tells its bot: to let time leap, or to say what is unfinished. */
export type ToBot = { leap: number } | { ask: 'unfinished' };

export type FromBot = { ready: true } | { unfinished: string[] };
