/** `text` of a ComfyUI or a graph: at most `max` characters, and without the paths of the machine that said it. */
export function excerpt(text: string, max = 300): string {
  const safe = text.replace(/(?:\b[A-Za-z]:)?(?:[\\/][\w.@~ -]+){2,}/g, '…').trim();
  return safe.length > max ? `${safe.slice(0, max - 1)}…` : safe;
}
