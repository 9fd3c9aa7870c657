import type { Queue } from '../tasks/queue.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Metrics } from './metrics.ts';

/** The queue, whose claims, and what its tasks cost once they are completed, are told to `metrics`. */
export const measureQueue = (queue: Queue, metrics: Pick<Metrics, 'claim' | 'captured'>): Queue => ({
  ...queue,
  async claim(claimable) {
    const startedAt = performance.now();
    const tell = (result: 'task' | 'none' | 'failed') => metrics.claim(result, performance.now() - startedAt);
    try {
      const task = await queue.claim(claimable);
      tell(task ? 'task' : 'none');
      return task;
    } catch (error) {
      tell('failed');
      throw error;
    }
  },

  async complete(run, picture) {
    const cost = await queue.complete(run, picture);
    if (cost !== undefined) metrics.captured(cost);
    return cost;
  },
});

/** Tasks; what those cost that are cancelled is told to `metrics`. */
export const measureTasks = (tasks: Tasks, metrics: Pick<Metrics, 'captured'>): Tasks => ({
  ...tasks,
  async cancel(id, accountId) {
    const charged = await tasks.cancel(id, accountId);
    if (charged !== undefined) metrics.captured(charged);
    return charged;
  },
});
