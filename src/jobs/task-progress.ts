import { isDeepStrictEqual } from 'node:util';
import type { ServiceErrorKind } from '@darkroom/image-api';

/** What is known of a task that is under way, beyond what its row says. */
export interface TaskProgress {
  /** Where it stands among those that wait for their turn, 1 for the next; undefined where it does not wait. */
  turnPosition?: number | undefined;
  /** Whether it waits because the service has nothing that could draw it for now. */
  engineUnavailable: boolean;
  begun: boolean;
  /** Whole, 0 to 100; undefined where the service does not say. */
  percent?: number | undefined;
  /** In the queue of the service, or in that of the machines that it has begun to wait for. */
  queuePosition?: number | undefined;
  /** Milliseconds since the epoch, perhaps past; kept while the service's estimate barely moves. */
  expectedAt?: number | undefined;
  /** Why the last poll failed, while it is being repeated. */
  trouble?: ServiceErrorKind | undefined;
  /** Where the service shows how far the picture is, which changes as it comes along. */
  previewUrl?: string | undefined;
  /** Whether the service says already that the picture is not for everybody. */
  flagged?: boolean | undefined;
  /** Until when a finished picture that cannot be fetched is tried, in milliseconds since the epoch. */
  fetchedUntil?: number | undefined;
}

/** Of a task that the service has said nothing of. */
export const NO_PROGRESS: TaskProgress = { engineUnavailable: false, begun: false };

/**
 * What is known of a task after `seen`: a percentage stays until another one is said, and trouble is over unless it is
 * seen again. `before` itself where that is nothing new.
 */
export function mergeProgress(before: TaskProgress, seen: Partial<TaskProgress>): TaskProgress {
  const percent = Math.floor(seen.percent ?? before.percent ?? 0);
  const after: TaskProgress = { ...before, trouble: undefined, ...seen, percent: percent || undefined };
  return isDeepStrictEqual(before, after) ? before : after;
}

/** What an estimate may move by without being another one: so much, or this share of the time that is left. */
const NOISE_MS = 5_000;
const NOISE_SHARE = 1 / 4;

/**
 * When a task is expected to be done, in milliseconds since the epoch, where the service says `etaSeconds` at `now`.
 * An estimate that has barely moved stays the one `before`: who shows it has nothing new to show. So does one that has
 * passed, however long its last seconds are said to take.
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
  return Math.abs(latest - Math.max(before, now)) <= Math.max(NOISE_MS, leftMs * NOISE_SHARE)
    ? before
    : latest;
}
