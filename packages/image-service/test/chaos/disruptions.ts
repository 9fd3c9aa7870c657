import type { Random } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { LEASE_MS } from './protocol.ts';

/** What happens to one process, or to its way to the database; `ms`: for how long. */
export type Disruption =
  | { kind: 'kill' | 'stop' }
  | { kind: 'suspend' | 'full disk' | 'stall' | 'refuse'; ms: number }
  /** The connections are reset this often, a moment apart. */
  | { kind: 'reset'; times: number }
  | { kind: 'leap'; ms: number };

interface PlannedDisruption {
  disruption: Disruption;
  /** Index of the process. */
  process: number;
  /** Milliseconds since the one before has ended. */
  afterMs: number;
}

/** Every kind comes up as often as every other. */
export const drawDisruptions = (random: Random, count: number, processes: number): PlannedDisruption[] =>
  Array.from({ length: count }, (_, index) => ({
    disruption: drawDisruption(random, index),
    process: random.between(0, processes - 1),
    afterMs: random.between(100, 2_000),
  }));

/** Some are shorter than a lease, most are longer. */
const drawMs = (random: Random) => random.between(LEASE_MS / 2, 2.5 * LEASE_MS);

const DRAW: readonly ((random: Random) => Disruption)[] = [
  () => ({ kind: 'kill' }),
  (random) => ({ kind: 'suspend', ms: drawMs(random) }),
  (random) => ({ kind: 'stall', ms: drawMs(random) }),
  (random) => ({ kind: 'leap', ms: random.pick([20_000, -20_000, HOUR_MS]) }),
  (random) => ({ kind: 'full disk', ms: drawMs(random) }),
  (random) => ({ kind: 'reset', times: random.between(1, 5) }),
  (random) => ({ kind: 'refuse', ms: drawMs(random) }),
  () => ({ kind: 'stop' }),
];

function drawDisruption(random: Random, index: number): Disruption {
  const draw = DRAW[index % DRAW.length];
  if (!draw) throw new Error('there are no disruptions');
  return draw(random);
}
