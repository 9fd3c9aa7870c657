import type { Clock } from '@darkroom/time';
import type { Logger } from 'pino';
import type { Files } from './cdn/files.ts';
import type { Links } from './cdn/links.ts';
import type { EventBus } from './state/event-bus.ts';
import type { Snowflakes } from './state/snowflakes.ts';
import type { State } from './state/state.ts';

/** What every part of the local Discord stands on. */
export interface Context {
  clock: Clock;
  log: Logger;
  state: State;
  events: EventBus;
  snowflakes: Snowflakes;
  files: Files;
  links: Links;
  limits: SizeLimits;
}

/** In bytes. */
interface SizeLimits {
  /** Of one file. */
  attachment: number;
  /** Of a whole request. */
  request: number;
}
