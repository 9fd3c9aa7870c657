/** Everything that happened in one run. */
export type Trace = ReturnType<typeof createTrace>;

interface TraceEvent {
  at: number;
  source: string;
  event: string;
  ids: ReadonlySet<string> | undefined;
}

/** Snowflakes and UUIDs: the ids of users, messages, jobs, tasks and submissions. */
const ID = /\b\d{17,20}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

/** An excerpt has the events that concern everything within so many milliseconds of one of its own. */
const NEAR_MS = 2_000;

export const idsIn = (...texts: readonly string[]): string[] => texts.flatMap((text) => text.match(ID) ?? []);

export function createTrace() {
  const startedAt = Date.now();
  const events: TraceEvent[] = [];

  return {
    /**
     * @param ids of what the event concerns; none where it concerns everything
     * @param at milliseconds since the epoch; now unless given
     */
    record(source: string, event: string, ids?: readonly string[], at = Date.now()): void {
      events.push({ at, source, event, ids: ids && new Set(ids) });
    },

    /**
     * The events with one of these ids, and those that concern everything at about that time, with seconds since the
     * start.
     */
    excerpt(wanted: readonly string[]): string[] {
      const inOrder = events.toSorted((one, other) => one.at - other.at);
      const own = inOrder.filter(({ ids }) => ids !== undefined && wanted.some((id) => ids.has(id)));
      const near = ({ at }: TraceEvent) => own.some((event) => Math.abs(event.at - at) < NEAR_MS);
      const chosen = inOrder.filter((event) => (event.ids === undefined ? near(event) : own.includes(event)));
      return folded(
        chosen.map(({ at, source, event }) => ({ at: at - startedAt, text: `${source.padEnd(8)} ${event}` })),
      );
    },
  };
}

/** Repeated events become one line. */
function folded(lines: readonly { at: number; text: string }[]): string[] {
  const starts = lines.flatMap(({ text }, index) => (text === lines[index - 1]?.text ? [] : [index]));
  return starts.map((index, nth) => {
    const { at, text } = lines[index] ?? { at: 0, text: '' };
    const times = (starts[nth + 1] ?? lines.length) - index;
    return `${(at / 1_000).toFixed(3).padStart(8)} s  ${text}${times > 1 ? ` (${times} times)` : ''}`;
  });
}
