/** What shares the slots of an engine: compared by identity. */
export type Lane = unknown;

export interface RunningTask {
  /** Whose limit it counts towards. */
  holder: string;
  lane: Lane;
  /** Milliseconds until it should be finished. */
  endsInMs: number;
}

export interface WaitingTask {
  id: string;
  holder: string;
  lane: Lane;
  /** How many tasks of its holder may be drawn at once. */
  maxRunning: number;
  /** How long it should take, in milliseconds. */
  ms: number;
}

/** The tasks of a holder that wait for the same slots, in the order of the queue. */
interface Line {
  tasks: { task: WaitingTask; place: number }[];
  /** The first of them that waits. */
  next: number;
}

/**
 * When each task that waits should be finished, in milliseconds from now: every slot that becomes free is taken by
 * the first task of the queue whose holder is below its limit, as tasks are claimed. `waiting` is in the order of the
 * queue.
 */
export function simulateQueue(
  running: readonly RunningTask[],
  waiting: readonly WaitingTask[],
  slots: (lane: Lane) => number,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  const drawing = [...running].sort((one, other) => one.endsInMs - other.endsInMs);
  const ofHolder = new Map<string, number>();
  const ofLane = new Map<Lane, number>();
  const count = ({ holder, lane }: Pick<RunningTask, 'holder' | 'lane'>, by: number) => {
    ofHolder.set(holder, (ofHolder.get(holder) ?? 0) + by);
    ofLane.set(lane, (ofLane.get(lane) ?? 0) + by);
  };
  for (const task of running) count(task, 1);

  const lines = linesOf(waiting);
  const placeOf = ({ tasks, next }: Line) => tasks[next]?.place ?? 0;
  for (let now = 0; lines.length > 0; ) {
    const at = lines.findIndex(({ tasks, next }) => {
      const task = tasks[next]?.task;
      return (
        task !== undefined &&
        (ofLane.get(task.lane) ?? 0) < slots(task.lane) &&
        (ofHolder.get(task.holder) ?? 0) < task.maxRunning
      );
    });
    const [line] = at < 0 ? [] : lines.splice(at, 1);
    const begun = line?.tasks[line.next]?.task;
    if (line && begun) {
      const endsInMs = now + begun.ms;
      ends.set(begun.id, endsInMs);
      count(begun, 1);
      insert(drawing, { ...begun, endsInMs }, (task) => task.endsInMs);
      line.next += 1;
      if (line.next < line.tasks.length) insert(lines, line, placeOf);
      continue;
    }
    const [first] = drawing;
    if (!first) break;
    now = Math.max(now, first.endsInMs);
    while (drawing[0] !== undefined && drawing[0].endsInMs <= now) {
      count(drawing[0], -1);
      drawing.shift();
    }
  }
  return ends;
}

/** The lines, sorted by the place of their first task. */
function linesOf(waiting: readonly WaitingTask[]): Line[] {
  const lines = new Map<string, Map<Lane, Line>>();
  const all: Line[] = [];
  for (const [place, task] of waiting.entries()) {
    const ofHolder = lines.get(task.holder) ?? new Map<Lane, Line>();
    lines.set(task.holder, ofHolder);
    const known = ofHolder.get(task.lane);
    if (known) {
      known.tasks.push({ task, place });
      continue;
    }
    const line = { tasks: [{ task, place }], next: 0 };
    ofHolder.set(task.lane, line);
    all.push(line);
  }
  return all;
}

/** Puts an item into a sorted list, behind those that are equal. */
function insert<Item>(sorted: Item[], item: Item, rank: (item: Item) => number): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && rank(other) <= rank(item)) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, item);
}
