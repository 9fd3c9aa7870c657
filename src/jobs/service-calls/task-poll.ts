import type { CompletedTask, FailedTask, ImageClient, Task, TaskUnderWay } from '@darkroom/image-api';
import { ServiceError } from '@darkroom/image-api';
import { type Clock, raceAbort } from '@darkroom/time';
import {
  isRefusal,
  isTransient,
  MAX_POLLS_WITHOUT_URL,
  pollBackoffMs,
  pollIntervalMs,
  REFUSED,
  resumedPollMs,
} from './poll-timing.ts';

/** How much longer a task is polled whose deadline passed while nobody could ask: no process, a machine that slept. */
const RESUMED_LATE_MS = 5 * 60_000;

/** How long before its deadline a task is polled last where the service has asked to wait beyond it. */
const LAST_POLL_MS = 10_000;

export interface PolledTask {
  taskId: string;
  apiKey: string;
  /** Milliseconds since the epoch. */
  acceptedAt: number;
  deadlineAt: number;
  /** Nobody wants it any more. */
  cancelled: AbortSignal;
  /** Every answer that does not end the task, also those that change nothing. */
  onAnswer(task: TaskUnderWay): void;
  onTrouble(error: ServiceError): void;
}

export type FinishedTask = CompletedTask & { imageUrl: string };

export const isFinished = (task: Task): task is FinishedTask =>
  task.state === 'completed' && task.imageUrl !== undefined;

/** How a task ended; `error`: one that no later poll can mend. */
export type TaskResult =
  | FinishedTask
  | FailedTask
  | { state: 'error'; error: unknown }
  | { state: 'timed-out' }
  | { state: 'cancelled' };

export type TaskPoll = ReturnType<typeof createTaskPoll>;

export function createTaskPoll(
  { taskId, apiKey, acceptedAt, deadlineAt, cancelled, onAnswer, onTrouble }: PolledTask,
  signal: AbortSignal,
  { images, clock, random }: { images: Pick<ImageClient, 'status'>; clock: Clock; random: () => number },
) {
  const begunAt = clock.now();
  let nextPollAt = acceptedAt + pollIntervalMs(random());
  if (nextPollAt < begunAt) nextPollAt = begunAt + resumedPollMs(random());
  let giveUpAt = Math.max(deadlineAt, begunAt + RESUMED_LATE_MS);
  /** When the last poll that has ended began. */
  let polledAt: number | undefined;
  let askedLate = false;
  let scheduled = false;
  let polling = false;
  let failuresInRow = 0;
  let refused: { since: number; times: number } | undefined;
  let answersWithoutUrl = 0;
  /** Ends a poll that is under way: one that hangs would keep its room in the rate limit. */
  const over = new AbortController();
  let end: (result: TaskResult) => void = () => undefined;
  const ended = new Promise<TaskResult>((resolve) => {
    end = (how) => {
      over.abort();
      resolve(how);
    };
  });
  const isOver = () => over.signal.aborted || signal.aborted;
  const onCancel = () => end({ state: 'cancelled' });
  cancelled.addEventListener('abort', onCancel, { once: true });
  if (cancelled.aborted) onCancel();
  const result = raceAbort(signal, ended).finally(() => {
    over.abort();
    cancelled.removeEventListener('abort', onCancel);
  });

  /** When to poll next; never while a poll is under way or when it has ended. */
  const dueAt = () => (scheduled || isOver() ? Number.POSITIVE_INFINITY : nextPollAt);

  /** What the service asks for may pass the deadline: it is asked once more before that. */
  function retryAt(waitMs: number): number {
    const lastPollAt = giveUpAt - LAST_POLL_MS;
    const at = clock.now() + waitMs;
    return at >= giveUpAt && clock.now() < lastPollAt ? lastPollAt : at;
  }

  /** Whether a later poll may be answered. */
  function mayPass(error: ServiceError): boolean {
    const now = clock.now();
    if (!isRefusal(error)) {
      refused = undefined;
      return isTransient(error, now - acceptedAt);
    }
    refused = { since: refused?.since ?? now, times: (refused?.times ?? 0) + 1 };
    return now - refused.since < REFUSED.forMs || refused.times < REFUSED.times;
  }

  function handleStatus(task: Task): void {
    if (task.state === 'failed' || isFinished(task)) end(task);
    else if (task.state !== 'completed') {
      giveUpAt = deadlineAt;
      onAnswer(task);
    } else if (++answersWithoutUrl > MAX_POLLS_WITHOUT_URL) {
      const error = new ServiceError('protocol', `task ${taskId} is completed, but has no image_url`);
      end({ state: 'error', error });
    }
  }

  return {
    /** Rejects only with the signal's reason. */
    result,
    dueAt,
    /** When something is to be done next: a poll, or the end at the deadline. */
    wakeAt: (): number =>
      polledAt !== undefined && !polling && !isOver() ? Math.min(dueAt(), giveUpAt) : dueAt(),
    /** It waits for room in the rate limit: no second poll starts. */
    markScheduled(): void {
      scheduled = true;
    },
    /** Unless it has ended while it waited for room. Decides when to poll again. Never rejects. */
    async pollOnce(): Promise<void> {
      if (isOver()) return;
      polling = true;
      const startedAt = clock.now();
      try {
        const task = await images.status(taskId, { apiKey, signal: over.signal });
        if (isOver()) return;
        failuresInRow = 0;
        refused = undefined;
        nextPollAt = clock.now() + pollIntervalMs(random());
        handleStatus(task);
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof ServiceError) || !mayPass(error)) {
          end({ state: 'error', error });
          return;
        }
        failuresInRow += 1;
        nextPollAt = retryAt(pollBackoffMs(error, failuresInRow, random()));
        onTrouble(error);
      } finally {
        polledAt = startedAt;
        polling = false;
        scheduled = false;
      }
    },
    /**
     * Ends it where its deadline has passed and no poll is under way. Where nobody could ask before that, it is given
     * up only when the service has said that it still works on it, or has said nothing for some minutes.
     */
    expire(): void {
      const now = clock.now();
      if (polledAt === undefined || polling || now < giveUpAt) return;
      if (polledAt >= giveUpAt - LAST_POLL_MS || askedLate) {
        end({ state: 'timed-out' });
        return;
      }
      askedLate = true;
      giveUpAt = now + RESUMED_LATE_MS;
      if (!scheduled) nextPollAt = now;
    },
  };
}
