import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What `light-service-process.ts` is asked. */
export type LightServiceCommand =
  | { ask: 'report' }
  /** Forgets the polls so far. */
  | { ask: 'reset' }
  /** From now on so many tasks are completed every second, the oldest first; 0, as at first: none. */
  | { ask: 'complete'; perSecond: number };

export interface LightServiceReport {
  submissions: number;
  /** Since the last reset. */
  polls: number;
  /** Tasks that are neither completed nor forgotten. */
  running: number;
  /** Tasks that have been polled since the last reset. */
  polledTasks: number;
  /** When a task was polled for the first time since the last reset, in milliseconds since the epoch; one for each task. */
  firstPolls: number[];
  /** Milliseconds between two polls of one task, both since the last reset. */
  gaps: number[];
  /** The most polls of one task under way at once. */
  overlapping: number;
  /** What was completed, with the prompt that it was submitted with, in milliseconds since the epoch. */
  completions: { prompt: string; at: number }[];
}

export interface LightService {
  origin: string;
  report(): Promise<LightServiceReport>;
  reset(): Promise<void>;
  complete(perSecond: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * An image service in a process of its own that answers as the interface says, as cheaply as Node can, and counts what it is
 * asked: what is measured is the client. Tasks run until `complete`; an id that it does not know is taken for one that runs.
 */
export async function startLightService(): Promise<LightService> {
  const child = fork(fileURLToPath(new URL('./light-service-process.js', import.meta.url)));
  const [{ origin }] = await once(child, 'message');
  return {
    origin,
    report: () => ask(child, { ask: 'report' }),
    reset: () => ask(child, { ask: 'reset' }),
    complete: (perSecond) => ask(child, { ask: 'complete', perSecond }),
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** One question at a time. */
async function ask<Answer>(child: ChildProcess, command: LightServiceCommand): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(command);
  return (await answer)[0];
}
