import type { QueueModel, QueueModels } from './queue-model.ts';
import { MAX_WAITING } from './queue-reading.ts';
import type { Task } from './task-queries.ts';

/** Where a task is in the queue. */
export interface Place {
  /** 1 is drawn next. */
  position: number;
  /** Milliseconds until it should be finished; undefined where nobody can tell yet. */
  endsInMs: number | undefined;
}

/** What a model says of those that are looked at one by one. */
interface Beginning {
  places: ReadonlyMap<string, Place>;
  /** Until the last of them is finished. */
  endsInMs: number;
}

export type Forecast = ReturnType<typeof createForecast>;

/** Foretells when tasks are drawn. */
export function createForecast({ queueModels }: { queueModels: QueueModels }) {
  const beginnings = new WeakMap<QueueModel, Beginning>();

  function beginningOf(model: QueueModel): Beginning {
    const known = beginnings.get(model);
    if (known) return known;
    const beginning = {
      places: new Map(
        model.waiting.map(({ id, known }, at) => [
          id,
          { position: at + 1, endsInMs: known ? model.ends.get(id) : undefined },
        ]),
      ),
      endsInMs: Math.max(0, ...model.ends.values()),
    };
    beginnings.set(model, beginning);
    return beginning;
  }

  /** A task behind those that are looked at one by one: as if those before it were drawn as quickly as these. */
  async function placeBehind(task: Task, model: QueueModel): Promise<Place> {
    const turns = await queueModels.turns();
    const position = (await turns.countBefore(task)) + 1;
    const { endsInMs } = beginningOf(model);
    return { position, endsInMs: endsInMs > 0 ? (endsInMs * position) / model.waiting.length : undefined };
  }

  return {
    /** The place of a task that waited when it was read; undefined where it does not wait any more. */
    async placeOf(task: Task): Promise<Place | undefined> {
      const latest = await queueModels.latest();
      const known = beginningOf(latest).places.get(task.id);
      if (known) return known;
      if (latest.waiting.length >= MAX_WAITING) return placeBehind(task, latest);
      // It has come since, or has been claimed.
      return beginningOf(await queueModels.refresh()).places.get(task.id);
    },
  };
}
