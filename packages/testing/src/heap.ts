import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Tells by how many bytes more of this process's heap are in use since now. It collects garbage first, which takes half
 * a second where the heap is large.
 */
export function watchHeap(): () => number {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  function inUse(): number {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }
  const before = inUse();
  return () => inUse() - before;
}
