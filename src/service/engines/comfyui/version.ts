/** What a ComfyUI can do beyond what all of them can. */
export interface Features {
  /**
   * Jobs are asked for and cancelled by their id (`/api/jobs/{id}`, and `/cancel` below it). Without, a prompt is
   * looked for in the history and the queue, and cancelled by taking it out of the queue and interrupting it.
   */
  jobs: boolean;
}

/** The jobs API came before, but cancels since v0.26.0; what came with what is not told apart further. */
const JOBS_SINCE = [0, 26, 0] as const;

/** The features of a version such as `0.38.1` or `v0.3.64-12-gabc`; an unreadable one counts as old. */
export function featuresOf(version: string | undefined): Features {
  const parts = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?/.exec(version ?? '');
  return { jobs: parts !== null && atLeast(parts.slice(1).map(Number), JOBS_SINCE) };
}

function atLeast(version: readonly number[], least: readonly number[]): boolean {
  for (const [place, wanted] of least.entries()) {
    const difference = (version[place] || 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
