import { type Clock, refdClock } from '@darkroom/time';

/** A second, and what a busy machine or the network may shorten it by. */
const WINDOW_MS = 1_150;

/**
 * Waits until a request may leave: at most `perSecond` in any second, wherever it begins. @discordjs/rest counts in seconds
 * that begin with a request, so that twice as many fit into one that lies across two of these. `afterAnother`: a process
 * before this one may have used up the second before this moment, so no request leaves in the next.
 */
export function createRequestPace(
  perSecond: () => number,
  { clock = refdClock, afterAnother = false }: { clock?: Clock; afterAnother?: boolean } = {},
): (signal?: AbortSignal) => Promise<void> {
  const sent: number[] = afterAnother ? Array.from({ length: perSecond() }, () => clock.now()) : [];
  return async (signal) => {
    for (;;) {
      const now = clock.now();
      while ((sent[0] ?? now) <= now - WINDOW_MS) sent.shift();
      const earlier = sent.at(-perSecond());
      if (earlier === undefined) break;
      await clock.sleep(earlier + WINDOW_MS - now, signal);
    }
    sent.push(clock.now());
  };
}
