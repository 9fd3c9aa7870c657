import type { TaskTable } from '../database/tables.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Workflows } from '../workflows/workflows.ts';
import type { Lane } from './queue-simulation.ts';

/** Pictures that this machine enlarges or, where they are large, sketches at once: each takes a whole core. */
const CPU_SLOTS = 1;

export type Lanes = ReturnType<typeof createLanes>;

/** What shares slots: the tasks of an engine, and those that are drawn beside the engines, on this machine. */
export function createLanes({
  workflows,
  limits,
}: {
  workflows: Pick<Workflows, 'engines' | 'find'>;
  limits: Pick<ServiceLimits, 'slots'>;
}) {
  return {
    laneOf: ({ workflow, lane }: Pick<TaskTable, 'workflow' | 'lane'>): Lane =>
      lane === 'cpu' ? lane : workflows.find(workflow)?.engine,

    /** How many tasks of a lane this process draws at once. */
    slotsOf: (lane: Lane): number =>
      lane === 'cpu'
        ? Math.min(CPU_SLOTS, limits.slots)
        : (workflows.engines.find((engine) => engine === lane)?.slots ?? limits.slots),
  };
}
