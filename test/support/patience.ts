import { setTimeout as delay } from 'node:timers/promises';

/** How long anything is waited for, in real milliseconds. Each wait ends as soon as the thing happens: no test fails for slowness alone. */
export const PATIENCE_MS = 60_000;

/** Looks again and again until there is something to see. Rejects with an error that names `what` has never come. */
export async function until<Found>(
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  what: string,
): Promise<Found> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(5)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`never seen: ${what}`);
}
