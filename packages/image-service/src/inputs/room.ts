import { ApiError } from '../api-error.ts';

const RETRY_SECONDS = '3';

/** What somebody in a room hears and says. */
export interface Stay {
  /** Aborted where another account is let in instead. */
  signal: AbortSignal;
  /** From now on it is not turned out: what it does next cannot be broken off. Throws where it has been already. */
  remain(): void;
}

/** Somebody's work in a room. */
interface Visit {
  accountId: number;
  share: number;
  leaving: AbortController;
  remains: boolean;
  /** Resolves once nothing of it is left. */
  ended: Promise<unknown>;
}

const shareOf = (visits: Iterable<Visit>, accountId?: number): number => {
  let sum = 0;
  for (const visit of visits)
    if (accountId === undefined || visit.accountId === accountId) sum += visit.share;
  return sum;
};

/**
 * How much comes in at once, of an account and of all, in any unit: pictures are held in memory until they are kept.
 * Where the room is full, whoever would have less of it than another account is let in, and the newest of the account
 * that has most is turned out, unless it remains: a few accounts that send slowly keep nobody out.
 */
export function createRoom({ ofAccount, ofAll }: { ofAccount: number; ofAll: number }) {
  const inside = new Set<Visit>();

  /**
   * Who has to leave for `share` more, of an account that then has `own`. Undefined where there is no room for it.
   */
  function turnedOutFor(share: number, own: number): Visit[] | undefined {
    const staying = [...inside];
    const out: Visit[] = [];
    while (shareOf(staying) + share > ofAll) {
      const guests = staying.filter(({ remains }) => !remains);
      const most = Math.max(...guests.map(({ accountId }) => shareOf(staying, accountId)));
      const newest = guests.findLast(({ accountId }) => shareOf(staying, accountId) === most);
      if (!newest || most <= own) return undefined;
      staying.splice(staying.indexOf(newest), 1);
      out.push(newest);
    }
    return out;
  }

  /**
   * Does `work` where there is room for `share` more. Rejects with an API error where there is none; with one `work`
   * is aborted where another account is let in instead of it, which waits until it has ended.
   */
  return async <Result>(
    accountId: number,
    share: number,
    work: (stay: Stay) => Promise<Result>,
  ): Promise<Result> => {
    const own = shareOf(inside, accountId) + share;
    const out = own <= ofAccount ? turnedOutFor(share, own) : undefined;
    if (!out) throw full();
    const leaving = new AbortController();
    const { signal } = leaving;
    for (const visit of out) {
      inside.delete(visit);
      visit.leaving.abort(full());
    }
    const begin = async () => {
      await Promise.all(out.map(({ ended }) => ended));
      signal.throwIfAborted();
      return await work({
        signal,
        remain() {
          signal.throwIfAborted();
          visit.remains = true;
        },
      });
    };
    const done = begin();
    const visit: Visit = { accountId, share, leaving, remains: false, ended: done.catch(() => undefined) };
    inside.add(visit);
    try {
      return await done;
    } finally {
      inside.delete(visit);
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
