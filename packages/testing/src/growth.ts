/** How often each size is measured. The quickest run counts: nothing else slowed it down. */
const RUNS = 10;

/**
 * By how much longer `work` takes with four times the size: about 4 where its time grows with the size, 16 with its
 * square.
 */
export function growth(work: (size: number) => void, size: number): number {
  // The smaller size first: it also warms up the code.
  const ms = quickest(work, size);
  return quickest(work, 4 * size) / ms;
}

const quickest = (work: (size: number) => void, size: number): number =>
  Math.min(...Array.from({ length: RUNS }, () => cpuMs(() => work(size))));

/** Milliseconds that a processor has worked for it: a busy machine takes longer, and works no more. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return cpuMsSince(before);
}

/** Likewise for work that ends later, and for all that the process does meanwhile. */
export async function cpuMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuMsSince(before);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
