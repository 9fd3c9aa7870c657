/**
 * Cuts `text` to at most `max` characters and removes paths, which tell about the machine that the server runs on.
 */
export function sanitize(text: string, max = 300): string {
  const safe = text.replace(/(?:\b[A-Za-z]:)?(?:[\\/][\w.@~ -]+){2,}/g, '…').trim();
  return safe.length > max ? `${safe.slice(0, max - 1)}…` : safe;
}
