import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Above so many bytes garbage is collected before they are believed: it takes long. */
const MUCH = 16 * 1024 ** 2;

/** Tells by how many bytes more of this process's heap are in use since now. */
export function watchHeap(): () => number {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const inUse = () => process.memoryUsage().heapUsed;
  collectGarbage();
  const before = inUse();
  return () => {
    if (inUse() - before > MUCH) collectGarbage();
    return inUse() - before;
  };
}
