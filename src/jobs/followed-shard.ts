import type { Clock } from '@darkroom/time';
import { createController } from './run.ts';
import type { Shard } from './shard.ts';

/** How long a submission that has left may still be answered once the process is stopping. */
const GRACE_PERIOD_MS = 5_000;

export type FollowedShard = ReturnType<typeof followShard>;

/**
 * A shard whose jobs are followed, until `stopping` aborts. `abandoned`, as in `RunSignals`, comes later: of a submission
 * that is cut off nobody knows whether it was accepted.
 */
export function followShard(shard: Shard, clock: Clock) {
  const stopping = createController();
  const abandoned = createController();
  const abandon = () => abandoned.abort(stopping.signal.reason);
  stopping.signal.addEventListener('abort', () => void clock.sleep(GRACE_PERIOD_MS).then(abandon), {
    once: true,
  });
  return { ...shard, stopping, abandoned: abandoned.signal };
}
