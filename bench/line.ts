import { median } from './statistics.ts';

/** `µs` of CPU, `ms` of time or CPU, `cores` of CPU time per time, `/s` a rate; `''` counts things. */
export type Unit = 'µs' | 'ms' | 'KiB' | 'MiB' | 'cores' | '/s' | '';

/** What the median is held against: a value in the line's unit, or the bare minimum of the same run. */
export type Goal =
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly atMostOverBare: number }
  | { readonly atMostTimesBare: number }
  | { readonly atLeastTimesBare: number };

/**
 * One line of `npm run bench`: something measured, beside the least that could do the same work. A measurement
 * returns its lines with the plain values of its runs; median, spread, ratio and whether the goal is met are made
 * from them in one place.
 */
export interface Line {
  /** As a reader of the page names it: `300 /imagine in one second: first answer, p99`. */
  readonly name: string;
  readonly unit: Unit;
  /** The value of each run, in `unit`; one value where there was one run. */
  readonly ours: readonly number[];
  /**
   * The bare minimum, measured in turns with `ours`: what it is, and the value of each run. Absent where there is
   * none.
   */
  readonly bare?: { readonly what: string; readonly runs: readonly number[] };
  readonly goal?: Goal;
}

/** The middle of the runs, and between which values they lie. */
export interface Spread {
  median: number;
  least: number;
  greatest: number;
  runs: number;
}

/** A line as it is printed, and as `--json` writes it. */
export interface Result {
  name: string;
  unit: Unit;
  ours: Spread;
  bare?: Spread & { what: string };
  /** `ours` divided by `bare`, run by run. */
  ratio?: Spread;
  goal?: Goal & { met: boolean };
}

export function resultOf({ name, unit, ours, bare, goal }: Line): Result {
  const ratios = bare && ours.map((value, run) => value / (bare.runs[run] ?? median(bare.runs)));
  const result = {
    name,
    unit,
    ours: spreadOf(ours),
    ...(bare && { bare: { what: bare.what, ...spreadOf(bare.runs) } }),
    ...(ratios && { ratio: spreadOf(ratios) }),
  };
  return { ...result, ...(goal && { goal: { ...goal, met: isMet(goal, result) } }) };
}

const spreadOf = (runs: readonly number[]): Spread => ({
  median: median(runs),
  least: Math.min(...runs),
  greatest: Math.max(...runs),
  runs: runs.length,
});

/** A goal beside a bare minimum is never met where that was not measured. */
function isMet(goal: Goal, { ours, bare, ratio }: Pick<Result, 'ours' | 'bare' | 'ratio'>): boolean {
  if ('atMost' in goal) return ours.median <= goal.atMost;
  if ('atLeast' in goal) return ours.median >= goal.atLeast;
  if ('atMostOverBare' in goal) return bare !== undefined && ours.median - bare.median <= goal.atMostOverBare;
  if ('atLeastTimesBare' in goal) return ratio !== undefined && ratio.median >= goal.atLeastTimesBare;
  return ratio !== undefined && ratio.median <= goal.atMostTimesBare;
}
