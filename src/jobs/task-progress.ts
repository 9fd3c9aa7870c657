import { isDeepStrictEqual } from 'node:util';
import type { TaskProgress } from './delivery-port.ts';

/** Of a task that the service has said nothing of. */
export const NO_PROGRESS: TaskProgress = { engineAway: false, begun: false };

/**
 * What is known of a task after `seen`: a percentage never falls, and trouble is over unless it is seen again.
 * `before` itself where that is nothing new.
 */
export function mergeProgress(before: TaskProgress, seen: Partial<TaskProgress>): TaskProgress {
  const percent = Math.floor(Math.max(before.percent ?? 0, seen.percent ?? 0));
  const after: TaskProgress = { ...before, trouble: undefined, ...seen, percent: percent || undefined };
  return isDeepStrictEqual(before, after) ? before : after;
}

/** What an estimate may move by without being another one: so much, or this share of the time that is left. */
const NOISE_MS = 5_000;
const NOISE_SHARE = 1 / 4;

/**
 * When a task is expected to be done, in milliseconds since the epoch, where the service says `etaSeconds` at `now`.
 * An estimate that has barely moved stays the one `before`: who shows it has nothing new to show.
 */
export function expectedAt(
  before: number | undefined,
  etaSeconds: number | undefined,
  now: number,
): number | undefined {
  if (etaSeconds === undefined) return undefined;
  const leftMs = etaSeconds * 1_000;
  const latest = now + leftMs;
  if (before === undefined) return latest;
  return Math.abs(latest - before) <= Math.max(NOISE_MS, leftMs * NOISE_SHARE) ? before : latest;
}
