/** How often each size is measured. The quickest run counts: nothing else slowed it down. */
const RUNS = 10;

/** In how many measurements, each of them, work has to grow too fast. */
const MEASUREMENTS = 3;

/** Four times the size takes about four times as long; by its square it would be sixteen times, by its cube 64. */
const MOST_GROWTH = 8;

/** Milliseconds of the larger size below which nothing can be told from noise. */
const LEAST_MS = 4;

/**
 * Whether `work` takes longer than in proportion to the size, which is given to it as it is and four times that. The
 * larger has to be one that would take many times {@link LEAST_MS}, did its time grow with its square.
 */
export function growsTooFast(work: (size: number) => void, size: number): boolean {
  return Array.from({ length: MEASUREMENTS }).every(() => growth(work, size) > MOST_GROWTH);
}

/** By how much longer four times the size takes; 0 where it takes next to nothing. */
function growth(work: (size: number) => void, size: number): number {
  const ms = { small: Infinity, large: Infinity };
  // One after the other, as a machine may be slower for a second than it was before.
  for (let run = 0; run < RUNS; run++) {
    ms.small = Math.min(
      ms.small,
      cpuMs(() => work(size)),
    );
    ms.large = Math.min(
      ms.large,
      cpuMs(() => work(4 * size)),
    );
    if (ms.large < LEAST_MS) return 0;
  }
  return ms.large / ms.small;
}

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
