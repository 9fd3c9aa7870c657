import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Files } from './cdn/files.ts';
import type { Links } from './cdn/links.ts';
import type { Feed } from './state/feed.ts';
import type { Snowflakes } from './state/snowflakes.ts';
import type { State } from './state/state.ts';

/** What every part of the local Discord stands on. */
export interface Core {
  clock: Clock;
  log: Log;
  state: State;
  feed: Feed;
  snowflakes: Snowflakes;
  files: Files;
  links: Links;
  limits: SizeLimits;
}

/** In bytes. */
export interface SizeLimits {
  /** Of one file, where boosts do not raise it. */
  attachment: number;
  /** Of a whole request. */
  request: number;
}
