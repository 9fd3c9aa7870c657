/** The middle of `values`; the lower one of two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** `12 ms` and `1.20 s`. */
export const duration = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;

export const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`;
