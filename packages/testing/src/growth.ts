/** How often each size is measured. The quickest run counts: nothing else slowed it down. */
const RUNS = 10;

/** By how much longer `work` takes with four times the size: about 4 where its time grows with the size, 16 with its square. */
export function growth(work: (size: number) => void, size: number): number {
  // The smaller size first: it also warms up the code.
  const ms = quickest(work, size);
  return quickest(work, 4 * size) / ms;
}

function quickest(work: (size: number) => void, size: number): number {
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const begun = performance.now();
    work(size);
    ms = Math.min(ms, performance.now() - begun);
  }
  return ms;
}
