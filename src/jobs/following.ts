import type { Clock } from '@darkroom/time';
import { createController } from './run.ts';
import type { Shard } from './shard.ts';

/** That the jobs of a shard are followed, until `stopping` aborts. */
export interface Following {
  shard: Shard;
  stopping: AbortController;
  /** As in `RunSignals`. */
  abandoned: AbortSignal;
}

/** How long a submission that has left may still be answered once the process is stopping. */
const GRACE_PERIOD_MS = 5_000;

/** A submission that was cut off would leave behind a task of which nobody knows whether it was accepted. */
export function createFollowing(shard: Shard, clock: Clock): Following {
  const stopping = createController();
  const abandoned = createController();
  const abandon = () => abandoned.abort(stopping.signal.reason);
  stopping.signal.addEventListener('abort', () => void clock.sleep(GRACE_PERIOD_MS).then(abandon), {
    once: true,
  });
  return { shard, stopping, abandoned: abandoned.signal };
}
