import type { Log } from '@darkroom/process';
import { type Clock, repeat } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import { logUnlessUnavailable } from '../database/log-unless-unavailable.ts';
import { MAX_IDS, withIds } from '../database/with-ids.ts';

/** How often what others wait for is looked for among what other processes have ended: in one statement for many. */
const LOOK_MS = 500;
/** Callers of an account that wait at once: each keeps a connection. */
const MOST_OF_ACCOUNT = 64;

export type TaskWaits = ReturnType<typeof createTaskWaits>;

/**
 * Lets callers wait for tasks to end. What this process ends it says itself; what others end is found by one look for
 * all who wait.
 */
export function createTaskWaits({ db, clock, log }: { db: ServiceDatabase; clock: Clock; log: Log }) {
  /** Few, as each keeps a connection. */
  const waiting = new Set<{ taskId: string; accountId: number; wake: () => void }>();
  const closing = new AbortController();

  function ended(taskId: string): void {
    for (const waiter of waiting) if (waiter.taskId === taskId) waiter.wake();
  }

  async function look(): Promise<void> {
    const ids = [...new Set(Array.from(waiting, ({ taskId }) => taskId))];
    for (let from = 0; from < ids.length; from += MAX_IDS)
      for (const { id } of await findEnded(db, ids.slice(from, from + MAX_IDS), {})) ended(id);
  }

  const looking = repeat(look, {
    everyMs: LOOK_MS,
    clock,
    signal: closing.signal,
    onError: logUnlessUnavailable(log, 'looking for ended tasks failed'),
  });

  return {
    /**
     * Resolves when the task has ended, `forMs` are over or `signal` aborts; at once where the account waits for too
     * many already, and when the service closes. Whoever asks looks at the task before and after.
     */
    async wait(
      { taskId, accountId }: { taskId: string; accountId: number },
      forMs: number,
      signal: AbortSignal,
    ): Promise<void> {
      const ofAccount = [...waiting].filter((waiter) => waiter.accountId === accountId);
      if (ofAccount.length >= MOST_OF_ACCOUNT || signal.aborted || closing.signal.aborted) return;
      const over = new AbortController();
      const wake = () => over.abort();
      const waiter = { taskId, accountId, wake };
      waiting.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
      try {
        await clock.sleep(forMs, over.signal).catch(() => undefined);
      } finally {
        signal.removeEventListener('abort', wake);
        waiting.delete(waiter);
      }
    },

    /** Tells whoever waits for it that a task may have ended in this process. */
    ended,

    /** Everybody is answered at once. */
    async close(): Promise<void> {
      closing.abort();
      for (const { wake } of waiting) wake();
      await looking;
    },
  };
}

const findEnded = withIds((db, ids: string[]) =>
  db.selectFrom('tasks').select('id').where('id', 'in', ids).where('finishedAt', 'is not', null),
);
