/**
 * How soon the same message may be edited again, by the age of its job: Discord documents no number, edits of one reply
 * and messages of one channel both draw on budgets that others share, and a slow job has little news.
 */
export function editIntervalMs(ageMs: number): number {
  if (ageMs < 60_000) return 3_000;
  if (ageMs < 5 * 60_000) return 5_000;
  return 12_000;
}

/** Percentages that one process shows in a second, at most. An edit costs about twice what a poll does (`npm run bench -- polling`). */
const PERCENTAGES_PER_SECOND = 250;

/** How soon a percentage may follow an edit where so many replies are shown: polls and pictures keep their time. */
export const sharedIntervalMs = (replies: number): number => (replies * 1_000) / PERCENTAGES_PER_SECOND;

/** How soon after an edit a change of state is shown. */
export const STAGE_INTERVAL_MS = 1_000;
