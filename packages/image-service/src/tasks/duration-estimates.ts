import { WORKFLOWS, type Workflow } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import type { DrawingParameters } from '../engines/engine.ts';
import { workloadOf } from '../engines/workload.ts';
import { readDrawing } from './stored-drawing.ts';

/** Weight of all earlier durations beside a new one (exponential decay). */
const DECAY = 0.7;
/** How many past tasks of each workflow are read at start. */
const PAST_TASKS = 20;

export type DurationEstimates = ReturnType<typeof createDurationEstimates>;

/**
 * Estimates how long a drawing takes from how long earlier ones took: a time per step and megapixel for each workflow. It
 * is the quotient of two sums, so that one small picture that took long does not multiply into days for a large one.
 */
export function createDurationEstimates({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  const learned = new Map<Workflow, { ms: number; work: number; tasks: number }>();

  const learn = (drawing: DrawingParameters, ms: number) => {
    const before = learned.get(drawing.workflow) ?? { ms: 0, work: 0, tasks: 0 };
    learned.set(drawing.workflow, {
      ms: DECAY * before.ms + ms,
      work: DECAY * before.work + megapixelSteps(drawing),
      tasks: DECAY * before.tasks + 1,
    });
  };

  return {
    /** Learns from the tasks in the database; a drawing that cannot be read is left out. */
    async learnFromPast(): Promise<void> {
      for (const workflow of WORKFLOWS) {
        const past = await db
          .selectFrom('tasks')
          .select(['id', 'drawing', 'startedAt', 'finishedAt'])
          .where('workflow', '=', workflow)
          .where('state', '=', 'completed')
          .where('finishedAt', '<=', clock.now())
          .orderBy('finishedAt', 'desc')
          .limit(PAST_TASKS)
          .execute();
        for (const { id, drawing, startedAt, finishedAt } of past.reverse()) {
          if (startedAt === null || finishedAt === null) continue;
          try {
            learn(readDrawing(id, drawing), finishedAt - startedAt);
          } catch {}
        }
      }
    },

    learn,

    /** Milliseconds that a drawing of this workflow takes on average; null until it has been drawn once. */
    typical(workflow: Workflow): number | null {
      const known = learned.get(workflow);
      return known ? Math.round(known.ms / known.tasks) : null;
    },

    /** Milliseconds that a drawing should take; null until its workflow has been drawn once. */
    estimate(drawing: DrawingParameters): number | null {
      const known = learned.get(drawing.workflow);
      return known ? Math.round((known.ms / known.work) * megapixelSteps(drawing)) : null;
    },
  };
}

/**
 * The workload of a drawing in steps of a megapixel. One step is added for what does not depend on steps, such as decoding,
 * and one whole megapixel for what does not depend on size either, such as loading a model.
 */
function megapixelSteps(drawing: DrawingParameters): number {
  const { pixels, steps } = workloadOf(drawing);
  return 1 + ((steps + 1) * pixels) / 1_000_000;
}
