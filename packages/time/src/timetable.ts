/** What is to be done when. An entry stands in it once. */
export interface Timetable<Entry> {
  readonly size: number;
  /** The first moment at which something is due, never before it was asked for; `Infinity` where nothing is. */
  next(): number;
  /** Enters it, or moves it, to `at` or up to a tick later, and says to when; `Infinity` takes it out. */
  set(entry: Entry, at: number): number;
  /** Takes out what is due at `now`, the earliest first. */
  takeDue(now: number): Entry[];
}

/** Moments are rounded up to whole ticks of `tickMs`, so that there are few of them, however many entries there are. */
export function createTimetable<Entry>({ tickMs }: { tickMs: number }): Timetable<Entry> {
  const moments = new Map<number, Set<Entry>>();
  const momentOf = new Map<Entry, number>();

  function remove(entry: Entry): void {
    const at = momentOf.get(entry);
    if (at === undefined) return;
    momentOf.delete(entry);
    const entries = moments.get(at);
    entries?.delete(entry);
    if (entries?.size === 0) moments.delete(at);
  }

  return {
    get size() {
      return momentOf.size;
    },
    next: () => Math.min(...moments.keys()),
    set(entry, at) {
      remove(entry);
      if (at === Number.POSITIVE_INFINITY) return at;
      const moment = Math.ceil(at / tickMs) * tickMs;
      momentOf.set(entry, moment);
      const entries = moments.get(moment) ?? new Set();
      moments.set(moment, entries.add(entry));
      return moment;
    },
    takeDue(now) {
      const due = [...moments.keys()].filter((at) => at <= now).sort((one, other) => one - other);
      const taken = due.flatMap((at) => [...(moments.get(at) ?? [])]);
      for (const entry of taken) remove(entry);
      return taken;
    },
  };
}
