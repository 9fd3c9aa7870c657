import { type Clock, createWindow, refdClock } from '@darkroom/time';

/** A second, and what a busy machine or the network may shorten it by. */
const WINDOW_MS = 1_150;

/**
 * Waits until a request may leave: at most `perSecond` in any second, wherever it begins. @discordjs/rest counts in
 * seconds that begin with a request, so that twice as many fit into one that lies across two of these.
 * `afterAnother`: a process before this one may have used up the second before this moment, so no request leaves in
 * the next.
 */
export function createRequestPace(
  perSecond: () => number,
  { clock = refdClock, afterAnother = false }: { clock?: Clock; afterAnother?: boolean } = {},
): (signal?: AbortSignal) => Promise<void> {
  const sent = createWindow(WINDOW_MS, clock);
  if (afterAnother) for (let nth = 0; nth < perSecond(); nth++) sent.add();
  return async (signal) => {
    for (;;) {
      const waitMs = sent.waitMs(perSecond());
      if (waitMs === 0) break;
      await clock.sleep(waitMs, signal);
    }
    sent.add();
  };
}
