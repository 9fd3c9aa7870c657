/**
 * Progress edits of one process in a second, at most: with thousands of replies percentages come less often, so that polls
 * and pictures keep their time. An edit costs about twice what a poll does (`npm run bench -- polling`).
 */
const EDITS_PER_SECOND = 250;

/**
 * How soon the same message may be edited again, by the age of its job: Discord documents no number, edits of one reply
 * and messages of one channel both draw on budgets that others share, and a slow job has little news. `replies`: how many
 * are shown.
 */
export function editIntervalMs(ageMs: number, replies: number): number {
  return Math.max(intervalByAge(ageMs), (replies * 1_000) / EDITS_PER_SECOND);
}

function intervalByAge(ageMs: number): number {
  if (ageMs < 60_000) return 3_000;
  if (ageMs < 5 * 60_000) return 5_000;
  return 12_000;
}

/** How soon after an edit a change of state is shown. */
export const STAGE_INTERVAL_MS = 1_000;
