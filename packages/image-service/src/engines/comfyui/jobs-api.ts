/**
 * Whether a server of this version, such as `0.38.1` or `v0.3.64-12-gabc`, has the jobs API: `GET /api/jobs/{id}` and
 * `POST /api/jobs/{id}/cancel`. Without it, a prompt is looked up in the history and the queue, and cancelled by
 * removing it from the queue and interrupting it. It is older, but can cancel since v0.26.0. A version that cannot be
 * parsed is an old one.
 */
export function hasJobsApi(version: string | undefined): boolean {
  const [, major, minor] = /^v?(\d{1,6})\.(\d{1,6})/.exec(version ?? '') ?? [];
  return Number(major) > 0 || Number(minor) >= 26;
}
