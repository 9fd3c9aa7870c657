/** What depends on a server's version. */
export interface Features {
  /**
   * The jobs API: `GET /api/jobs/{id}` and `POST /api/jobs/{id}/cancel`. Without it, a prompt is looked up in the
   * history and the queue, and cancelled by removing it from the queue and interrupting it.
   */
  jobs: boolean;
}

/** The jobs API is older, but can cancel since v0.26.0; earlier versions are treated as having none. */
const JOBS_SINCE = [0, 26, 0] as const;

/** The features of a version such as `0.38.1` or `v0.3.64-12-gabc`; those of an old one where it cannot be parsed. */
export function featuresOf(version: string | undefined): Features {
  const parts = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?/.exec(version ?? '');
  return { jobs: parts !== null && atLeast(parts.slice(1).map(Number), JOBS_SINCE) };
}

function atLeast(version: readonly number[], minimum: readonly number[]): boolean {
  for (const [place, wanted] of minimum.entries()) {
    const difference = (version[place] || 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
