import { type ImageClient, ServiceError } from '@darkroom/image-api';
import { type Check, failing, ok } from '@darkroom/process';
import type { Readings } from './metrics.ts';

/**
 * Longer than a poll or a download may take: while all that a server may have hang, none begins. Where it may have one
 * call a second, a submission that hangs is all of them, and may take longer.
 */
const STALLED_MS = 60_000;

/** What the bot cannot do its work without. */
export const createChecks = ({
  readings,
  isSpare,
  proveWritable,
  images,
}: {
  readings: () => Pick<Readings, 'shards' | 'stalledMs'>;
  /** Whether others serve every shard, and this process would take what they leave. */
  isSpare: () => boolean;
  /** Resolves where the store takes writes. */
  proveWritable: () => Promise<void>;
  images: Pick<ImageClient, 'ping'>;
}): Readonly<Record<'gateway' | 'store' | 'service' | 'poller', Check>> => ({
  gateway() {
    const { served, connected } = readings().shards;
    // An orchestrator ends the process that serves them once this one is ready.
    if (served === 0) return isSpare() ? ok('others serve every shard') : failing('serves no shard yet');
    return (connected === served ? ok : failing)(`${connected} of ${served} shards are connected`);
  },

  async store() {
    await proveWritable();
    return ok('takes writes');
  },

  async service(signal) {
    try {
      await images.ping({ signal });
      return ok('answers');
    } catch (error) {
      if (error instanceof ServiceError) return failing(error.kind);
      throw error;
    }
  },

  poller() {
    const { stalledMs } = readings();
    if (stalledMs < STALLED_MS) return ok('polls begin when they are due');
    return failing(`polls are due, and for ${Math.round(stalledMs / 1_000)} s none has begun`);
  },
});
