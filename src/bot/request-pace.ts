import { type Clock, createSemaphore, createWindow, refdClock, steadyClock } from '@darkroom/time';
import { NoBudgetError } from '../delivery/classify-discord-error.ts';

/** A second, and what a busy machine or the network may shorten it by. */
const WINDOW_MS = 1_150;

/** How long what may be refused waits at most: well within the time of an attempt, which would end as unanswered. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Waits until a request may leave: at most `perSecond` in any second, wherever it begins. @discordjs/rest counts in
 * seconds that begin with a request, so that twice as many fit into one that lies across two of these.
 * `isQuestion`: somebody waits for its answer, for a second at most. Of ten requests one is left to these, and of what
 * is free each that waits has its own before all else.
 * `isRefusable`: where it would wait for long, and is no question, it is rejected with `NoBudgetError`. Each is told
 * another moment to come back, as many of them in a second as may leave.
 * `afterAnother`: a process before this one may have used up the second before this moment, so no request leaves in
 * the next.
 */
export function createRequestPace(
  perSecond: () => number,
  { clock = refdClock, afterAnother = false }: { clock?: Clock; afterAnother?: boolean } = {},
): (request?: {
  signal?: AbortSignal | undefined;
  isQuestion?: boolean;
  isRefusable?: boolean;
}) => Promise<void> {
  const steady = steadyClock(clock);
  const sent = createWindow(WINDOW_MS, clock);
  if (afterAnother) for (let nth = 0; nth < perSecond(); nth++) sent.add();
  // Only the first of each looks at the window: if thousands wait, all of them would wake for each that leaves.
  const turns = { questions: createSemaphore(1), others: createSemaphore(1) };
  let questions = 0;
  let others = 0;
  /** When who was refused last is to come back. */
  let comesBackAt = 0;
  const roomForOthers = () => {
    const most = perSecond();
    return Math.min(Math.max(1, most - Math.ceil(most / 10)), most - questions);
  };

  function refuseWhereFull(): void {
    const eachMs = WINDOW_MS / Math.max(1, roomForOthers());
    const waitMs = others * eachMs;
    if (waitMs <= LONGEST_WAIT_MS) return;
    const now = steady.now();
    comesBackAt = Math.max(comesBackAt, now + waitMs) + eachMs;
    throw new NoBudgetError(comesBackAt - now);
  }

  return async ({ signal, isQuestion = false, isRefusable = false } = {}) => {
    if (isRefusable && !isQuestion) refuseWhereFull();
    const room = isQuestion ? perSecond : roomForOthers;
    if (isQuestion) questions += 1;
    else others += 1;
    const leave = async () => {
      for (let waitMs = sent.waitMs(room()); waitMs > 0; waitMs = sent.waitMs(room()))
        await clock.sleep(waitMs, signal);
      sent.add();
    };
    try {
      await (isQuestion ? turns.questions : turns.others).hold(1, leave, { signal });
    } finally {
      if (isQuestion) questions -= 1;
      else others -= 1;
    }
  };
}
