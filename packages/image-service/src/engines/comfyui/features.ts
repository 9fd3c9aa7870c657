/** What depends on a server's version, such as `0.38.1` or `v0.3.64-12-gabc`; one that cannot be parsed is an old one. */
export function featuresOf(version: string | undefined) {
  const [, major, minor] = /^v?(\d{1,6})\.(\d{1,6})/.exec(version ?? '') ?? [];
  return {
    /**
     * The jobs API: `GET /api/jobs/{id}` and `POST /api/jobs/{id}/cancel`. Without it, a prompt is looked up in the
     * history and the queue, and cancelled by removing it from the queue and interrupting it. It is older, but can
     * cancel since v0.26.0.
     */
    jobs: Number(major) > 0 || Number(minor) >= 26,
  };
}
