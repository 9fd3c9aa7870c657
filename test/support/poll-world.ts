import type { ImageClient } from '@darkroom/image-api';
import { OPERATIONS, ServiceError, type Task } from '@darkroom/image-api';
import { createFakeClock } from '@darkroom/time/testing';
import { createPoller } from '../../src/jobs/service-calls/poller.ts';
import type { RateLimiter } from '../../src/jobs/service-calls/rate-limiter.ts';
import type { PolledTask, TaskResult } from '../../src/jobs/service-calls/task-poll.ts';

/**
 * What the service says to one poll: an answer, or an error. Given the task's id and how often it was asked for
 * before.
 */
type Answering = (taskId: string, times: number) => Task | Error;

export const task = (status: string, rest: Record<string, unknown> = {}): Task =>
  OPERATIONS.status.answer.read.parse({ id: 'a task', status, ...rest });
export const working = task('processing', { progress: 10 });
const result = { image_url: 'https://images.example.com/1.png' };
export const completed = task('completed', { result });

/** Of two pictures one is not to be had, and one fails; the service takes 5 and 2 credits for them. */
export const PAID_FOR_NOTHING = {
  status: async (taskId: string) =>
    taskId === 'task-0' ? task('completed', { result, cost: 5 }) : task('failed', { cost: 2 }),
  download: () => Promise.reject(new ServiceError('not-found', 'expired')),
};

/** A poller on a fake clock whose service answers in `latencyMs`, and everything that it was asked. */
export function createPollWorld(
  answering: Answering,
  {
    random = () => 0.5,
    latencyMs = 40,
    turn = () => Promise.resolve(),
  }: {
    random?: () => number;
    latencyMs?: number;
    /** Resolves when the rate limiter has room for the next poll. */
    turn?: () => Promise<void>;
  } = {},
) {
  const clock = createFakeClock();
  const startedAt = clock.now();
  const polls: { taskId: string; at: number }[] = [];
  /** The key of every turn that was asked for. */
  const turns: string[] = [];
  const underWay = new Map<string, number>();
  let mostAtOnce = 0;
  /** Turns that were given and are not over. */
  let held = 0;

  const images: Pick<ImageClient, 'status'> = {
    async status(taskId, { signal }) {
      const times = polls.filter((poll) => poll.taskId === taskId).length;
      polls.push({ taskId, at: clock.now() - startedAt });
      underWay.set(taskId, (underWay.get(taskId) ?? 0) + 1);
      mostAtOnce = Math.max(mostAtOnce, underWay.get(taskId) ?? 0);
      try {
        await clock.sleep(latencyMs, signal);
      } finally {
        underWay.set(taskId, (underWay.get(taskId) ?? 0) - 1);
      }
      const answer = answering(taskId, times);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const rateLimiter: RateLimiter = {
    async run(guildId, _kind, call) {
      turns.push(guildId);
      await turn();
      held += 1;
      try {
        return await call(() => undefined);
      } finally {
        held -= 1;
      }
    },
    waiting: () => 0,
    close: () => Promise.resolve(),
  };
  /** How late each poll was. */
  const lags: number[] = [];
  const metrics = { poll: (lateMs: number) => void lags.push(lateMs) };
  const poller = createPoller({ images, rateLimiter, clock, random, metrics });

  /** Begins to follow a task that is accepted now, for ten minutes unless told otherwise. */
  function follow(
    taskId: string,
    {
      guildId = 'a guild',
      signal = new AbortController().signal,
      ...followed
    }: Partial<PolledTask> & { guildId?: string; signal?: AbortSignal } = {},
  ) {
    const answers: Task[] = [];
    const troubles: Error[] = [];
    const ended: { result?: TaskResult; reason?: unknown; at?: number } = {};
    const whole: PolledTask = {
      taskId,
      apiKey: 'a key',
      acceptedAt: clock.now(),
      deadlineAt: clock.now() + 600_000,
      cancelled: new AbortController().signal,
      onAnswer: (answer) => answers.push(answer),
      onTrouble: (error) => troubles.push(error),
      ...followed,
    };
    const settled = poller
      .follow(guildId, whole, signal)
      .then((result) => Object.assign(ended, { result }))
      .catch((reason: unknown) => Object.assign(ended, { reason }))
      .then(() => Object.assign(ended, { at: clock.now() - startedAt }));
    return { answers, troubles, ended, settled };
  }

  return {
    clock,
    polls,
    turns,
    turnsHeld: () => held,
    lags,
    stalledMs: poller.stalledMs,
    follow,
    /** Milliseconds since the start at which a task was asked for. */
    timesOf: (taskId: string) => polls.filter((poll) => poll.taskId === taskId).map(({ at }) => at),
    /** The most polls of one task that were ever under way together. */
    mostAtOnce: () => mostAtOnce,
  };
}

/** The differences between neighbours, less `latencyMs`: from an answer to the next question. */
export const waitsBetween = (times: readonly number[], latencyMs = 40): number[] =>
  times.slice(1).map((at, index) => at - (times[index] ?? 0) - latencyMs);
