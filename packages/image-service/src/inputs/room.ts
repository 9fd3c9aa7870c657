import { createSemaphore } from '@darkroom/time';
import { ApiError } from '../api-error.ts';

const RETRY_SECONDS = '3';

/** How many pictures are on their way in at once, of an account and of all: each may take its bound of memory. */
export function createRoom({ ofAccount, ofAll }: { ofAccount: number; ofAll: number }) {
  const room = createSemaphore(ofAll);
  const inside = new Map<number, number>();

  /** Does `work` where there is room for one more. Rejects with an API error where there is none. */
  return async <Result>(accountId: number, work: () => Promise<Result>): Promise<Result> => {
    const others = inside.get(accountId) ?? 0;
    const leave = others < ofAccount ? room.tryAcquire(1) : undefined;
    if (!leave) throw full();
    inside.set(accountId, others + 1);
    try {
      return await work();
    } finally {
      leave();
      const left = (inside.get(accountId) ?? 1) - 1;
      if (left > 0) inside.set(accountId, left);
      else inside.delete(accountId);
    }
  };
}

const full = () =>
  new ApiError(
    'rate_limited',
    'Too many pictures are on their way in at the moment. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
