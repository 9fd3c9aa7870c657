import type { Clock } from '../../clock.ts';
import { WORKFLOWS, type Workflow } from '../../contract/limits.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { Drawing } from '../engines/engine.ts';
import { workOf } from '../engines/work.ts';
import { readDrawing } from './stored-drawing.ts';

/** How much what was learned before counts beside a new duration. */
const KEPT = 0.7;
/** How many past tasks a workflow's durations are learned from at start. */
const REMEMBERED = 20;

type Load = Omit<Drawing, 'taskId'>;

export type Durations = ReturnType<typeof createDurations>;

/**
 * Learns from past tasks how long a drawing takes: a time for each workflow, per step and megapixel. It is the quotient
 * of two sums, so that a small picture that took long does not foretell days for a large one.
 */
export function createDurations({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  const learned = new Map<Workflow, { ms: number; work: number }>();

  const learn = (load: Load, ms: number) => {
    const before = learned.get(load.workflow) ?? { ms: 0, work: 0 };
    learned.set(load.workflow, { ms: KEPT * before.ms + ms, work: KEPT * before.work + workIn(load) });
  };

  return {
    /** Learns from what was drawn before this process started; a drawing that cannot be read teaches nothing. */
    async recall(): Promise<void> {
      for (const workflow of WORKFLOWS) {
        const past = await db
          .selectFrom('tasks')
          .select(['id', 'drawing', 'startedAt', 'finishedAt'])
          .where('workflow', '=', workflow)
          .where('state', '=', 'completed')
          .where('finishedAt', '<=', clock.now())
          .orderBy('finishedAt', 'desc')
          .limit(REMEMBERED)
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

    /** Milliseconds that a drawing should take; unknown until its workflow has been drawn once. */
    expect(load: Load): number | null {
      const known = learned.get(load.workflow);
      return known ? Math.round((known.ms / known.work) * workIn(load)) : null;
    },
  };
}

/**
 * What a drawing asks of an engine, in steps of a megapixel. One step is for what does not depend on steps, as decoding;
 * one of a whole megapixel for what does not depend on size either, as loading a model.
 */
function workIn(load: Load): number {
  const { pixels, steps } = workOf(load);
  return 1 + ((steps + 1) * pixels) / 1_000_000;
}
