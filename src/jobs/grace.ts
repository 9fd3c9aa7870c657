import type { Clock } from '../clock.ts';

/** How long a submission that has left may still be answered once the process is stopping. */
const GRACE_MS = 5_000;

/**
 * A signal that follows `signal` by `GRACE_MS`: a submission that was cut off would leave behind a task of which nobody
 * knows whether it was accepted.
 */
export function withGrace(signal: AbortSignal, clock: Clock): AbortSignal {
  const late = new AbortController();
  const abort = () => late.abort(signal.reason);
  signal.addEventListener('abort', () => void clock.sleep(GRACE_MS).then(abort), { once: true });
  return late.signal;
}
