import type { Clock } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import type { DrawingParameters } from '../engines/engine.ts';
import { workloadOf } from '../engines/workload.ts';
import type { ServiceLimits } from '../limits.ts';
import { readDrawing } from './stored-drawing.ts';

/** Weight of all earlier durations beside a new one (exponential decay). */
const DECAY = 0.9;
/**
 * How much evidence is needed that larger pictures take longer: as if pictures that differ by two steps of a
 * megapixel had taken equally long. Of small pictures alone, whose times vary for other reasons, little is concluded
 * for large ones.
 */
const EVEN = 4;
/** How many past tasks of each workflow are read at start, and among how many of the latest they are looked for. */
const PAST_TASKS = 20;
const LATEST_TASKS = 10_000;

export type DurationEstimates = ReturnType<typeof createDurationEstimates>;

/**
 * Estimates how long a drawing takes from how long earlier ones of its workflow and operation took: the line that
 * fits them best, of time over work, with the latest weighing most. So it is measured, and not presumed, how much
 * longer larger pictures take.
 */
export function createDurationEstimates({
  db,
  workflows,
  limits,
  clock,
}: {
  db: ServiceDatabase;
  workflows: readonly string[];
  limits: Pick<ServiceLimits, 'taskMs'>;
  clock: Clock;
}) {
  const learned = new Map<string, Sums>();

  /** `ms`: below 0, or longer than a task may take, where the clock was set meanwhile, which tells nothing. */
  const learn = (workflow: string, drawing: DrawingParameters, ms: number) => {
    if (ms < 0 || ms > limits.taskMs) return;
    const key = keyOf(workflow, drawing);
    const before = learned.get(key) ?? { tasks: 0, ms: 0, work: 0, workSquared: 0, workMs: 0 };
    const work = megapixelSteps(drawing);
    learned.set(key, {
      tasks: DECAY * before.tasks + 1,
      ms: DECAY * before.ms + ms,
      work: DECAY * before.work + work,
      workSquared: DECAY * before.workSquared + work * work,
      workMs: DECAY * before.workMs + work * ms,
    });
  };

  return {
    /** Learns from the tasks in the database; a drawing that cannot be read is left out. */
    async learnFromPast(): Promise<void> {
      const ended = db
        .selectFrom('tasks')
        .where('finishedAt', '<=', clock.now())
        .orderBy('finishedAt', 'desc');
      const earlier = await ended.select('finishedAt').offset(LATEST_TASKS).limit(1).executeTakeFirst();
      for (const workflow of workflows) {
        const past = await ended
          .select(['id', 'drawing', 'startedAt', 'finishedAt'])
          .where('finishedAt', '>', earlier?.finishedAt ?? 0)
          .where('workflow', '=', workflow)
          // Of those that are completed. By their state SQLite would read all that there are.
          .where('picture', 'is not', null)
          .limit(PAST_TASKS)
          .execute();
        for (const { id, drawing, startedAt, finishedAt } of past.reverse()) {
          if (startedAt === null || finishedAt === null) continue;
          try {
            learn(workflow, readDrawing(id, drawing), finishedAt - startedAt);
          } catch {}
        }
      }
    },

    learn,

    /** Milliseconds that a drawing of this workflow takes on average; null until it has been drawn once. */
    typical(workflow: string): number | null {
      const known = learned.get(workflow);
      return known ? Math.round(known.ms / known.tasks) : null;
    },

    /** Milliseconds that a drawing should take; null until its workflow has been drawn once. */
    estimate(workflow: string, drawing: DrawingParameters): number | null {
      const known = learned.get(keyOf(workflow, drawing));
      return known ? Math.round(timeFor(known, megapixelSteps(drawing))) : null;
    },
  };
}

/** What is made of pictures takes other times than what is drawn from words. */
const keyOf = (workflow: string, { source }: Pick<DrawingParameters, 'source'>): string =>
  source ? `${workflow} ${source.operation}` : workflow;

/** Over all drawings. */
interface Sums {
  tasks: number;
  ms: number;
  work: number;
  workSquared: number;
  workMs: number;
}

/** Least squares. More work never takes less time, and no work at all not less than none. */
function timeFor({ tasks, ms, work, workSquared, workMs }: Sums, asked: number): number {
  const [meanMs, meanWork] = [ms / tasks, work / tasks];
  const fitted = (workMs - work * meanMs) / (workSquared - work * meanWork + EVEN);
  const slope = Math.min(Math.max(0, fitted), meanMs / meanWork);
  return meanMs + slope * (asked - meanWork);
}

/**
 * The workload of a drawing in steps of a megapixel. One step is added for what does not depend on steps, such as
 * decoding, and one whole megapixel for what does not depend on size either, such as loading a model.
 */
function megapixelSteps(drawing: DrawingParameters): number {
  const { pixels, steps } = workloadOf(drawing);
  return 1 + ((steps + 1) * pixels) / 1_000_000;
}
