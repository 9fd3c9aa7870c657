import type { Place, QueueModel, QueueModels } from './queue-model.ts';
import { MAX_WAITING } from './queue-reading.ts';
import type { Task } from './task-queries.ts';

export type Forecast = ReturnType<typeof createForecast>;

/** Foretells when tasks are drawn. */
export function createForecast({ queueModels }: { queueModels: QueueModels }) {
  /** A task behind those that are looked at one by one: as if those before it were drawn as quickly as these. */
  async function placeBehind(task: Task, model: QueueModel): Promise<Place> {
    const turns = await queueModels.turns();
    const position = (await turns.countBefore(task)) + 1;
    const endsInMs = Math.max(0, ...model.ends.values());
    return { position, endsInMs: endsInMs > 0 ? (endsInMs * position) / model.waiting.length : undefined };
  }

  return {
    /** The place of a task that waited when it was read; undefined where it does not wait any more. */
    async placeOf(task: Task): Promise<Place | undefined> {
      const latest = await queueModels.latest();
      const known = latest.places.get(task.id);
      if (known) return known;
      if (latest.waiting.length >= MAX_WAITING) return placeBehind(task, latest);
      // It has come since, or has been claimed.
      return (await queueModels.refresh()).places.get(task.id);
    },
  };
}
