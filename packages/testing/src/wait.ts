import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long a test waits for anything, in real milliseconds: so long that no test fails because the machine is slow.
 */
export const WAIT_TIMEOUT_MS = 120_000;

/** Polls `look` until it finds something. Rejects after `WAIT_TIMEOUT_MS` with an error that names `what`. */
export async function until<Found>(
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  what: string,
): Promise<Found> {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; Date.now() < deadline; await delay(5)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`timed out waiting for: ${what}`);
}
