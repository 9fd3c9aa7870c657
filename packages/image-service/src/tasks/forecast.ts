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

export type Forecast = ReturnType<typeof createForecast>;

/** Foretells when tasks are drawn. */
export function createForecast({ queueModels }: { queueModels: QueueModels }) {
  const places = new WeakMap<QueueModel, ReadonlyMap<string, Place>>();

  function placesIn(model: QueueModel): ReadonlyMap<string, Place> {
    const made =
      places.get(model) ??
      new Map(
        model.waiting.map(({ id, known }, at) => [
          id,
          { position: at + 1, endsInMs: known ? model.ends.get(id) : undefined },
        ]),
      );
    places.set(model, made);
    return made;
  }

  /** A task behind those that are looked at one by one: as if those before it were drawn as quickly as these. */
  async function placeBehind(task: Task, model: QueueModel): Promise<Place> {
    const turns = await queueModels.turns();
    const position = (await turns.countBefore(task)) + 1;
    const lastInMs = Math.max(0, ...model.ends.values());
    return {
      position,
      endsInMs: lastInMs > 0 ? (lastInMs * position) / model.waiting.length : undefined,
    };
  }

  return {
    /** The place of a task that waited when it was read; undefined where it does not wait any more. */
    async placeOf(task: Task): Promise<Place | undefined> {
      const latest = await queueModels.latest();
      const known = placesIn(latest).get(task.id);
      if (known) return known;
      if (latest.waiting.length >= MAX_WAITING) return placeBehind(task, latest);
      // It has come since, or has been claimed.
      return placesIn(await queueModels.refresh()).get(task.id);
    },
  };
}
