import type { ImageClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Pace } from './pace.ts';
import { ROUND_SLACK_MS } from './poll-wait.ts';
import { createWatch, type Ending, type Followed, type Watch } from './watch.ts';

/** A loop without anything to do looks again after this long, whatever its clock does. */
const LONGEST_SLEEP_MS = 60_000;

/** Follows tasks in rounds: one loop per key (a guild, or a member in direct messages), one poll at a time per task. */
export interface Poller {
  /** Resolves when the task ends or its deadline passes; rejects only with the reason of `signal`. */
  follow(key: string, task: Followed, signal: AbortSignal): Promise<Ending>;
}

export function createPoller({
  images,
  pace,
  clock,
  random = Math.random,
}: {
  images: Pick<ImageClient, 'status'>;
  pace: Pace;
  clock: Clock;
  /** In [0, 1): the jitter of every wait. */
  random?: () => number;
}): Poller {
  interface Guild {
    watches: Set<Watch>;
    wake: AbortController;
  }
  const guilds = new Map<string, Guild>();

  /** One job on the guild's limiter, weighing as many calls as it makes. */
  async function runRound(key: string, guild: Guild, round: readonly Watch[]): Promise<void> {
    for (const watch of round) watch.take();
    const askAll = () => Promise.all(round.map((watch) => watch.ask()));
    // Rejects only when the pace is closed: the process is stopping, and the signal of every watch with it.
    await pace.run(key, 'poll', askAll, { weight: round.length }).catch(() => undefined);
    guild.wake.abort();
  }

  function startRounds(key: string, guild: Guild): void {
    for (const watch of guild.watches) watch.expire();
    const due = [...guild.watches]
      .filter((watch) => watch.dueAt() <= clock.now() + ROUND_SLACK_MS)
      .sort((one, other) => one.dueAt() - other.dueAt());
    for (let first = 0; first < due.length; first += pace.largestRound) {
      void runRound(key, guild, due.slice(first, first + pace.largestRound));
    }
  }

  async function keepRounds(key: string, guild: Guild): Promise<void> {
    while (guild.watches.size > 0) {
      guild.wake = new AbortController();
      startRounds(key, guild);
      const next = Math.min(...[...guild.watches].map((watch) => watch.nextAt()));
      const wait = Math.min(LONGEST_SLEEP_MS, next - clock.now());
      await clock.sleep(Math.max(0, wait), guild.wake.signal).catch(() => undefined);
    }
    guilds.delete(key);
  }

  return {
    async follow(key, task, signal) {
      signal.throwIfAborted();
      const watch = createWatch(task, signal, { images, clock, random });
      const guild = guilds.get(key) ?? { watches: new Set(), wake: new AbortController() };
      guild.watches.add(watch);
      if (guilds.has(key)) guild.wake.abort();
      else {
        guilds.set(key, guild);
        void keepRounds(key, guild);
      }
      try {
        return await watch.ending;
      } finally {
        guild.watches.delete(watch);
        guild.wake.abort();
      }
    },
  };
}
