import type { Clock } from './clock.ts';
import { createWakeableSleep } from './wakeable-sleep.ts';

/**
 * What is to be done when, with one timer for all of it. An entry stands in it once. Moments are milliseconds since the
 * epoch, rounded up to whole ticks of `tickMs`, so that there are few of them, however many entries there are. `attend`
 * gets each entry when its moment has come, the earliest first; it is out by then, and may be entered anew. `attend`
 * never throws.
 */
export function createTimetable<Entry>({
  clock,
  tickMs,
  attend,
}: {
  clock: Clock;
  tickMs: number;
  attend(entry: Entry): void;
}) {
  const moments = new Map<number, Set<Entry>>();
  const momentOf = new Map<Entry, number>();
  const pause = createWakeableSleep(clock);
  let wakesAt = Number.POSITIVE_INFINITY;
  let running = false;
  let seenAt = clock.now();

  /** The first moment at which something is due, never before it was asked for; `Infinity` where nothing is. */
  const next = () => Math.min(...moments.keys());

  function remove(entry: Entry): void {
    const at = momentOf.get(entry);
    if (at === undefined) return;
    momentOf.delete(entry);
    const entries = moments.get(at);
    entries?.delete(entry);
    if (entries?.size === 0) moments.delete(at);
  }

  function enter(entry: Entry, at: number): number {
    remove(entry);
    const moment = Math.ceil(at / tickMs) * tickMs;
    if (moment < Number.POSITIVE_INFINITY) {
      momentOf.set(entry, moment);
      moments.set(moment, (moments.get(moment) ?? new Set()).add(entry));
    }
    return moment;
  }

  /** The time now. Where the clock was set back, so are the moments: nothing waits until it is there again. */
  function look(): number {
    const now = clock.now();
    const setBackMs = seenAt - now;
    seenAt = now;
    if (setBackMs > 0) for (const [entry, at] of [...momentOf]) enter(entry, at - setBackMs);
    return now;
  }

  function takeDue(now: number): Entry[] {
    const due = [...moments.keys()].filter((at) => at <= now).sort((one, other) => one - other);
    const taken = due.flatMap((at) => [...(moments.get(at) ?? [])]);
    for (const entry of taken) remove(entry);
    return taken;
  }

  /** One loop for all of them, while there are any. */
  async function run(): Promise<void> {
    running = true;
    while (momentOf.size > 0) {
      wakesAt = next();
      await pause.sleep(Math.max(0, wakesAt - clock.now()));
      for (const entry of takeDue(look())) attend(entry);
    }
    running = false;
  }

  return {
    next,
    /** Enters it, or moves it, to `at` or up to a tick later; `Infinity` takes it out. */
    set(entry: Entry, at: number): void {
      look();
      const moment = enter(entry, at);
      if (!running) void run();
      else if (moment < wakesAt || momentOf.size === 0) pause.wake();
    },
  };
}
