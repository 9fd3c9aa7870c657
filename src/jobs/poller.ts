import type { ImageClient } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import { BATCH_WINDOW_MS } from './poll-timing.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createTaskPoll, type PolledTask, type TaskPoll, type TaskResult } from './task-poll.ts';

/** A loop without anything to do looks again after this long, whatever its clock does. */
const MAX_SLEEP_MS = 60_000;

/** Polls tasks in batches: one loop per key (a guild, or a member in direct messages), one poll at a time per task. */
export interface Poller {
  /** Resolves when the task ends or its deadline passes; rejects only with the reason of `signal`. */
  follow(key: string, task: PolledTask, signal: AbortSignal): Promise<TaskResult>;
}

export function createPoller({
  images,
  rateLimiter,
  clock,
  random = Math.random,
}: {
  images: Pick<ImageClient, 'status'>;
  rateLimiter: RateLimiter;
  clock: Clock;
  /** In [0, 1): the jitter of every wait. */
  random?: () => number;
}): Poller {
  interface Guild {
    polls: Set<TaskPoll>;
    wake: AbortController;
  }
  const guilds = new Map<string, Guild>();

  /** One job on the guild's limiter, weighing as many calls as it makes. */
  async function runBatch(key: string, guild: Guild, batch: readonly TaskPoll[]): Promise<void> {
    for (const poll of batch) poll.markScheduled();
    const pollAll = () => Promise.all(batch.map((poll) => poll.run()));
    // Rejects only when the limiter is closed: the process is stopping, and the signal of every poll with it.
    await rateLimiter.run(key, 'poll', pollAll, { weight: batch.length }).catch(() => undefined);
    guild.wake.abort();
  }

  function startDueBatches(key: string, guild: Guild): void {
    for (const poll of guild.polls) poll.expire();
    const due = [...guild.polls]
      .filter((poll) => poll.dueAt() <= clock.now() + BATCH_WINDOW_MS)
      .sort((one, other) => one.dueAt() - other.dueAt());
    for (let first = 0; first < due.length; first += rateLimiter.maxBatch) {
      void runBatch(key, guild, due.slice(first, first + rateLimiter.maxBatch));
    }
  }

  async function pollUntilEmpty(key: string, guild: Guild): Promise<void> {
    while (guild.polls.size > 0) {
      guild.wake = new AbortController();
      startDueBatches(key, guild);
      const next = Math.min(...[...guild.polls].map((poll) => poll.wakeAt()));
      const wait = Math.min(MAX_SLEEP_MS, next - clock.now());
      await clock.sleep(Math.max(0, wait), guild.wake.signal).catch(() => undefined);
    }
    guilds.delete(key);
  }

  return {
    async follow(key, task, signal) {
      signal.throwIfAborted();
      const poll = createTaskPoll(task, signal, { images, clock, random });
      const guild = guilds.get(key) ?? { polls: new Set(), wake: new AbortController() };
      guild.polls.add(poll);
      if (guilds.has(key)) guild.wake.abort();
      else {
        guilds.set(key, guild);
        void pollUntilEmpty(key, guild);
      }
      try {
        return await poll.result;
      } finally {
        guild.polls.delete(poll);
        guild.wake.abort();
      }
    },
  };
}
