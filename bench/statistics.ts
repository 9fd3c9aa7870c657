/** The middle of `values`; the lower one of two. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The least of `values` that at least `percent` percent of them do not exceed; `NaN` where there are none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}
