import type { Tasks } from '../tasks/tasks.ts';
import type { Metrics } from './metrics.ts';

/** Tasks; what those cost that are cancelled is told to `metrics`. */
export const measureTasks = (tasks: Tasks, metrics: Pick<Metrics, 'captured'>): Tasks => ({
  ...tasks,
  async cancel(id, accountId) {
    const charged = await tasks.cancel(id, accountId);
    if (charged !== undefined) metrics.captured(charged);
    return charged;
  },
});
