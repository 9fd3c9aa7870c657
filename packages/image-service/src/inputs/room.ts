import { createSemaphore } from '@darkroom/time';
import { ApiError } from '../api-error.ts';

const RETRY_SECONDS = '3';

/** How much comes in at once, of an account and of all, in any unit: pictures are held in memory until they are kept. */
export function createRoom({ ofAccount, ofAll }: { ofAccount: number; ofAll: number }) {
  const room = createSemaphore(ofAll);
  const inside = new Map<number, number>();

  /** Does `work` where there is room for `share` more. Rejects with an API error where there is none. */
  return async <Result>(accountId: number, share: number, work: () => Promise<Result>): Promise<Result> => {
    const own = (inside.get(accountId) ?? 0) + share;
    const leave = own <= ofAccount ? room.tryAcquire(share) : undefined;
    if (!leave) throw full();
    inside.set(accountId, own);
    try {
      return await work();
    } finally {
      leave();
      const left = (inside.get(accountId) ?? share) - share;
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
