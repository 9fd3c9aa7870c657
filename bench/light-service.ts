import { forkFile } from './forked.ts';

/** What `light-service-process.ts` is asked. */
export type LightServiceQuestion =
  | { ask: 'origin' }
  | { ask: 'report' }
  /** Forgets the polls so far. */
  | { ask: 'reset' }
  /** From now on so many tasks are completed every second, the oldest first; 0, as at first: none. */
  | { ask: 'complete'; perSecond: number }
  /** Whether progress goes on, a percent a second, as at first. */
  | { ask: 'progress'; goesOn: boolean };

export interface LightServiceReport {
  /** Since the last reset. */
  polls: number;
  /** Tasks that are neither completed nor forgotten. */
  running: number;
  /**
   * When a task was polled for the first time since the last reset, in milliseconds since the epoch; one for each
   * task.
   */
  firstPolls: number[];
  /** Milliseconds between two polls of one task, both since the last reset. */
  gaps: number[];
  /** The most polls of one task under way at once. */
  overlapping: number;
  /** What was completed, with the prompt that it was submitted with, in milliseconds since the epoch. */
  completions: { prompt: string; at: number }[];
}

export type LightService = Awaited<ReturnType<typeof startLightService>>;

/**
 * An image service in a process of its own that answers as the interface says, as cheaply as Node can, and counts
 * what it is asked: what is measured is the client. Tasks run until `complete`; an id that it does not know is taken
 * for one that runs.
 */
export async function startLightService() {
  const child = forkFile(new URL('./light-service-process.js', import.meta.url));
  const ask = <Answer>(question: LightServiceQuestion) => child.ask<Answer>(question);
  return {
    origin: await ask<string>({ ask: 'origin' }),
    report: () => ask<LightServiceReport>({ ask: 'report' }),
    reset: () => ask<void>({ ask: 'reset' }),
    complete: (perSecond: number) => ask<void>({ ask: 'complete', perSecond }),
    progress: (goesOn: boolean) => ask<void>({ ask: 'progress', goesOn }),
    stop: () => child.stop(),
  };
}
