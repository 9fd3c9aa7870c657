import type { ImageClient } from '@darkroom/image-api';
import { type Clock, createTimetable } from '@darkroom/time';
import type { Metrics } from '../../observability/metrics.ts';
import { TICK_MS } from './poll-timing.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createTaskPoll, type PolledTask, type TaskPoll, type TaskResult } from './task-poll.ts';

/** Polls tasks, each at its own time, one poll at a time. */
export function createPoller({
  images,
  rateLimiter,
  clock,
  random,
  metrics,
}: {
  images: Pick<ImageClient, 'status'>;
  rateLimiter: Pick<RateLimiter, 'run'>;
  clock: Clock;
  /** In [0, 1): the jitter of every wait. */
  random: () => number;
  metrics: Pick<Metrics, 'poll'>;
}) {
  interface FollowedTask {
    guildId: string;
    poll: TaskPoll;
  }
  const timetable = createTimetable<FollowedTask>({ clock, tickMs: TICK_MS, attend });
  /** Polls that wait for room in the rate limit, and since when they are due; the first one for longest. */
  const waiting = new Map<FollowedTask, number>();
  let lastBegunAt = 0;

  const plan = (followed: FollowedTask) => timetable.set(followed, followed.poll.wakeAt());

  function attend(followed: FollowedTask): void {
    const { guildId, poll } = followed;
    poll.expire();
    const dueAt = poll.dueAt();
    // Planned before the clock was set back, it is due all the same.
    if (dueAt < Number.POSITIVE_INFINITY) {
      poll.markScheduled();
      waiting.set(followed, dueAt);
      const begin = () => {
        waiting.delete(followed);
        lastBegunAt = clock.now();
        metrics.poll(Math.max(0, lastBegunAt - dueAt));
        return poll.pollOnce();
      };
      // Rejects only when the limiter is closed: the process is stopping, and the signal of every poll with it.
      const polled = rateLimiter.run(guildId, 'poll', begin).catch(() => undefined);
      void polled.then(() => plan(followed));
    }
    plan(followed);
  }

  return {
    /** For how many milliseconds polls have been due and none has begun; 0 where none is due. */
    stalledMs(): number {
      const [longest = Number.POSITIVE_INFINITY] = waiting.values();
      const dueSince = Math.min(longest, timetable.next());
      return Math.max(0, clock.now() - Math.max(dueSince, lastBegunAt));
    },

    /**
     * Resolves when the task ends or its deadline passes; rejects only with the reason of `signal`. `guildId`: whose
     * rate limit its polls share, by `guildOrMember`.
     */
    async follow(guildId: string, task: PolledTask, signal: AbortSignal): Promise<TaskResult> {
      signal.throwIfAborted();
      const followed = { guildId, poll: createTaskPoll(task, signal, { images, clock, random }) };
      plan(followed);
      try {
        return await followed.poll.result;
      } finally {
        plan(followed);
      }
    },
  };
}
