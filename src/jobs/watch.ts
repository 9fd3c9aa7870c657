import type { ImageClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Task } from '../contract/task.ts';
import { ServiceError } from '../errors.ts';
import { REPOLLS_WITHOUT_URL, waitAfterAnswer, waitAfterFailure, worthAnotherPoll } from './poll-wait.ts';

/** For so long a task that is taken up late is asked for, while the service says nothing of it. */
const LATE_MS = 5 * 60_000;

/** A task that is asked for until it ends. */
export interface Followed {
  taskId: string;
  apiKey: string;
  /** Milliseconds since the epoch. */
  acceptedAt: number;
  deadlineAt: number;
  /** Every answer that does not end the task, also those that change nothing. */
  onAnswer(task: Task): void;
  /** A poll that failed and will be repeated. */
  onTrouble(error: ServiceError): void;
}

/** How a task ended; `gone`: an error that no later poll can mend. */
export type Ending =
  | { state: 'completed'; imageUrl: string; expiresAt: Date | undefined }
  | { state: 'failed'; task: Task }
  | { state: 'gone'; error: unknown }
  | { state: 'timed-out' };

export interface Watch {
  /** Rejects only with the signal's reason. */
  readonly ending: Promise<Ending>;
  /** When to ask next; never while a poll is under way or when it has ended. */
  dueAt(): number;
  /** When something is to be done next: a poll, or the end at the deadline. */
  nextAt(): number;
  /** Marks it as taken into a round, so that no second poll starts. */
  take(): void;
  /** Asks once, unless it has ended while its round waited, and decides when to ask again. Never rejects. */
  ask(): Promise<void>;
  /**
   * Ends it where its deadline has passed and no poll is under way. One that is taken up late is given up only when the
   * service has said that it still works on it, or has said nothing for some minutes.
   */
  expire(): void;
}

export function createWatch(
  { taskId, apiKey, acceptedAt, deadlineAt, onAnswer, onTrouble }: Followed,
  signal: AbortSignal,
  { images, clock, random }: { images: Pick<ImageClient, 'status'>; clock: Clock; random: () => number },
): Watch {
  let nextPollAt = Math.max(clock.now(), acceptedAt + waitAfterAnswer(random()));
  let givenUpAt = Math.max(deadlineAt, clock.now() + LATE_MS);
  let asked = false;
  let taken = false;
  let asking = false;
  let failuresInRow = 0;
  let answersWithoutUrl = 0;
  let end: (ending: Ending) => void = () => undefined;
  const over = new AbortController();
  const ending = new Promise<Ending>((resolve, reject) => {
    end = (how) => {
      resolve(how);
      over.abort();
    };
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
  });
  const dueAt = () => (taken || over.signal.aborted ? Number.POSITIVE_INFINITY : nextPollAt);

  function judge(task: Task): void {
    if (task.state === 'failed') end({ state: 'failed', task });
    else if (task.state !== 'completed') {
      givenUpAt = deadlineAt;
      onAnswer(task);
    } else if (task.imageUrl !== undefined) {
      end({ state: 'completed', imageUrl: task.imageUrl, expiresAt: task.expiresAt });
    } else if (++answersWithoutUrl > REPOLLS_WITHOUT_URL) {
      const error = new ServiceError('protocol', `task ${taskId} is completed, but has no image_url`);
      end({ state: 'gone', error });
    }
  }

  return {
    ending,
    dueAt,
    nextAt: () => (asked && !asking ? Math.min(dueAt(), givenUpAt) : dueAt()),
    take() {
      taken = true;
    },
    async ask() {
      if (signal.aborted || over.signal.aborted) return;
      asking = true;
      try {
        const task = await images.status(taskId, { apiKey, signal });
        failuresInRow = 0;
        nextPollAt = clock.now() + waitAfterAnswer(random());
        judge(task);
      } catch (error) {
        if (signal.aborted) return;
        if (!worthAnotherPoll(error, clock.now() - acceptedAt)) {
          end({ state: 'gone', error });
          return;
        }
        failuresInRow += 1;
        nextPollAt = clock.now() + waitAfterFailure(error, failuresInRow, random());
        onTrouble(error);
      } finally {
        asked = true;
        asking = false;
        taken = false;
      }
    },
    expire() {
      if (asked && !asking && clock.now() >= givenUpAt) end({ state: 'timed-out' });
    },
  };
}
