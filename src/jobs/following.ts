import { setMaxListeners } from 'node:events';
import type { Clock } from '@darkroom/time';
import type { Shard } from './shard.ts';

/** That the jobs of a shard are followed, until `stopping` aborts. */
export interface Following {
  shard: Shard;
  stopping: AbortController;
  forceAbort: AbortSignal;
}

export function createFollowing(shard: Shard, clock: Clock): Following {
  const stopping = createStopping();
  return { shard, stopping, forceAbort: afterGracePeriod(stopping.signal, clock) };
}

export function createStopping(): AbortController {
  const stopping = new AbortController();
  // Much waits on one signal, and that is no leak.
  setMaxListeners(0, stopping.signal);
  return stopping;
}

/** How long a submission that has left may still be answered once the process is stopping. */
const GRACE_PERIOD_MS = 5_000;

/**
 * A signal that follows `signal` by `GRACE_PERIOD_MS`: a submission that was cut off would leave behind a task of which
 * nobody knows whether it was accepted.
 */
function afterGracePeriod(signal: AbortSignal, clock: Clock): AbortSignal {
  const late = new AbortController();
  const abort = () => late.abort(signal.reason);
  signal.addEventListener('abort', () => void clock.sleep(GRACE_PERIOD_MS).then(abort), { once: true });
  return late.signal;
}
