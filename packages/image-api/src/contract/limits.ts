/** Bounds of a submission. The maxima are the interface's; the minima are ours, where it shows none. */
export const LIMITS = {
  width: { min: 64, max: 2048, default: 512 },
  height: { min: 64, max: 2048, default: 512 },
  steps: { min: 1, max: 50, default: 20 },
  /** -1 asks the service for a random seed. The maximum is the largest integer that JSON carries exactly. */
  seed: { min: -1, max: Number.MAX_SAFE_INTEGER, default: -1 },
  cfg: { min: 0, max: 30 },
} as const;

/** How often a task may be asked for, in milliseconds: every 2 to 3 seconds. */
export const POLL_INTERVAL_MS = { min: 2_000, max: 3_000 } as const;

/** Bytes per millisecond: the 2 Mbit/s that a home may send at. */
const SLOW_LINE = 250;
/** How many milliseconds a slow line takes for so many bytes. */
export const slowLineMs = (bytes: number): number => Math.ceil(bytes / SLOW_LINE);

export const WORKFLOWS = ['default', 'anime', 'z-image', 'rr3'] as const;
export type Workflow = (typeof WORKFLOWS)[number];

/** Which workflows use `cfg` and `model`, by the interface. The others ignore them. */
export const WORKFLOWS_SUPPORTING: Readonly<Record<'cfg' | 'model', readonly Workflow[]>> = {
  cfg: ['rr3', 'anime'],
  model: ['default', 'anime'],
};
