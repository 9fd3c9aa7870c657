import { type Clock, createSemaphore, createWindow, refdClock } from '@darkroom/time';

/** A second, and what a busy machine or the network may shorten it by. */
const WINDOW_MS = 1_150;

/**
 * Waits until a request may leave: at most `perSecond` in any second, wherever it begins. @discordjs/rest counts in
 * seconds that begin with a request, so that twice as many fit into one that lies across two of these.
 * `isQuestion`: somebody waits for its answer, for a second at most. Of ten requests one is left to these, and of what
 * is free each that waits has its own before all else.
 * `afterAnother`: a process before this one may have used up the second before this moment, so no request leaves in
 * the next.
 */
export function createRequestPace(
  perSecond: () => number,
  { clock = refdClock, afterAnother = false }: { clock?: Clock; afterAnother?: boolean } = {},
): (request?: { signal?: AbortSignal | undefined; isQuestion?: boolean }) => Promise<void> {
  const sent = createWindow(WINDOW_MS, clock);
  if (afterAnother) for (let nth = 0; nth < perSecond(); nth++) sent.add();
  // Only the first of each looks at the window: if thousands wait, all of them would wake for each that leaves.
  const turns = { questions: createSemaphore(1), others: createSemaphore(1) };
  let questions = 0;
  const roomForOthers = () => {
    const most = perSecond();
    return Math.min(Math.max(1, most - Math.ceil(most / 10)), most - questions);
  };
  return async ({ signal, isQuestion = false } = {}) => {
    const room = isQuestion ? perSecond : roomForOthers;
    if (isQuestion) questions += 1;
    const leave = async () => {
      for (let waitMs = sent.waitMs(room()); waitMs > 0; waitMs = sent.waitMs(room()))
        await clock.sleep(waitMs, signal);
      sent.add();
    };
    try {
      await (isQuestion ? turns.questions : turns.others).hold(1, leave, { signal });
    } finally {
      if (isQuestion) questions -= 1;
    }
  };
}
