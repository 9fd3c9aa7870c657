import { createBatch } from '../database/batch.ts';
import type { ServiceDatabase } from '../database/database.ts';
import { MAX_FOUND } from '../database/find-by-ids.ts';
import type { QueueModel, QueueModels } from './queue-model.ts';
import { countWithinTurn, MAX_WAITING } from './queue-reading.ts';
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
export function createForecast({ db, queueModels }: { db: ServiceDatabase; queueModels: QueueModels }) {
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

  /** As with the tasks themselves, polls that arrive together share one read. */
  const countAhead = createBatch(MAX_FOUND, async (ids: readonly string[]) => {
    const counted = new Map((await countWithinTurn(db, ids)).map(({ id, ahead }) => [id, ahead]));
    return ids.map((id) => ({ result: counted.get(id) ?? 0 }));
  });

  /** A task behind those that are looked at one by one: as if those before it were drawn as quickly as these. */
  async function placeBehind({ turn, id, ahead }: Task, model: QueueModel): Promise<Place> {
    const { before } = await queueModels.turns();
    const position = before(turn) + (ahead ?? (await countAhead(id))) + 1;
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
