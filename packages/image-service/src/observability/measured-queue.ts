import type { Queue } from '../tasks/queue.ts';
import type { Metrics } from './metrics.ts';

export const measureQueue = (queue: Queue, metrics: Pick<Metrics, 'claim'>): Queue => ({
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
});
