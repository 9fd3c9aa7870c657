/** Bytes that a process holds. */
export interface Memory {
  /** Of JavaScript's objects, without garbage. */
  heap: number;
  /** Of objects and buffers, without garbage. */
  live: number;
  /** As the system counts it, with garbage that nobody needed to collect. */
  resident: number;
}

/** Of this process, which was started with `--expose-gc`. Collects garbage. */
export function memory(): Memory {
  const resident = process.memoryUsage.rss();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, live: heapUsed + external, resident };
}
