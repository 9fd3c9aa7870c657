import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulateQueue, type WaitingTask } from '../../src/tasks/queue-simulation.ts';

const LIMITS: Readonly<Record<string, number>> = { studio: 1, mira: 2, otto: 5 };

const task = fc.record({
  holder: fc.constantFrom(...Object.keys(LIMITS)),
  lane: fc.constantFrom('sketch', 'comfyui'),
  ms: fc.integer({ min: 1, max: 100 }),
});
const waitingOf = (tasks: readonly { holder: string; lane: string; ms: number }[]): WaitingTask[] =>
  tasks.map((each, at) => ({ ...each, id: `${at}`, maxRunning: LIMITS[each.holder] ?? 1 }));

/** The same, step by step: in each millisecond what may begin begins, in the order of the queue. */
function byTheMillisecond(
  running: Parameters<typeof simulateQueue>[0],
  waiting: WaitingTask[],
  slots: (lane: unknown) => number,
) {
  const ends = new Map<string, number>();
  let drawing = [...running];
  let left = waiting;
  for (let now = 0; left.length > 0; now++) {
    drawing = drawing.filter(({ endsInMs }) => endsInMs > now);
    for (const next of left) {
      const full = drawing.filter(({ lane }) => lane === next.lane).length >= slots(next.lane);
      const own = drawing.filter(({ holder }) => holder === next.holder).length;
      if (full || own >= next.maxRunning) continue;
      ends.set(next.id, now + next.ms);
      drawing.push({ ...next, endsInMs: now + next.ms });
    }
    left = left.filter(({ id }) => !ends.has(id));
  }
  return ends;
}

test('tasks are expected to end when they would, were the queue followed millisecond by millisecond', () => {
  fc.assert(
    fc.property(
      fc.array(task, { maxLength: 5 }),
      fc.array(task, { maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (running, waiting, ofSketch, ofOthers) => {
        const slots = (lane: unknown) => (lane === 'sketch' ? ofSketch : ofOthers);
        const drawn = running.map(({ ms, ...rest }) => ({ ...rest, endsInMs: ms }));
        const tasks = waitingOf(waiting);
        const expected = byTheMillisecond(drawn, tasks, slots);
        expect(Object.fromEntries(simulateQueue(drawn, tasks, slots))).toEqual(Object.fromEntries(expected));
      },
    ),
  );
});

test('a queue of nobody, and slots that nobody has, come to an end', () => {
  expect(simulateQueue([], [], () => 8).size).toBe(0);
  expect(simulateQueue([], waitingOf([{ holder: 'studio', lane: 'sketch', ms: 5 }]), () => 0).size).toBe(0);
});
