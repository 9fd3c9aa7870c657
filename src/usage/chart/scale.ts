/** From one line of a grid to the next: these, or tens of them. */
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10];

/** The numbers beside the lines of a grid, from 0 to a round one that is `largest` or a little more; whole ones. */
export function scaleTo(largest: number, lines: number): number[] {
  const least = Math.max(1, largest / lines);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (STEPS.find((one) => one * power >= least) ?? 10) * power;
  return Array.from({ length: lines + 1 }, (_, nth) => nth * step);
}
