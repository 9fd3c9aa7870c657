import type { VaultKeys } from '@darkroom/storage';
import type { ClockOrigin } from '@darkroom/time/testing';
import type { OperatorLimits } from '../../src/limits/limits.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';

/** What a bot process is started with. */
export interface BotConfig {
  token: string;
  apiUrl: string;
  imageUrl: string;
  imageKey: string;
  limits: OperatorLimits;
  store: StoreUrl;
  /** For what the bot keeps beside its store. */
  folder: string;
  secrets: VaultKeys;
  /** File that the log is appended to. */
  log: string;
  /** File that every call to the image service is noted in. */
  calls: string;
  clock: { factor: number; origin: ClockOrigin };
}

/** Messages from the run to its bot: start, advance the clock, or list unfinished jobs. */
export type ToBot = { start: BotConfig } | { advance: number } | { ask: 'unfinished' };

export type FromBot = { ready: true } | { unfinished: Unfinished[] };

/** A job that has not ended. */
export interface Unfinished {
  memberId: string;
  /** `false`: it waits until its member fetches it with /jobs. */
  continues: boolean;
}
