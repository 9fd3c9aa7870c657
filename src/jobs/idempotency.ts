import { z } from 'zod';
import type { ImageClient } from '../client/client.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';

/** Whether the service has ever announced that a repeated `Idempotency-Key` is not charged twice. */
export interface IdempotencyMemory {
  honoured(): boolean;
  /** Writes down what the client has seen; cheap when there is nothing new. Never rejects. */
  remember(): Promise<void>;
}

/** Remembered per origin across restarts: a crash between a submission and its answer is judged by what was known then. */
export async function createIdempotencyMemory({
  store,
  images,
  origin,
  log,
}: {
  store: Store;
  images: Pick<ImageClient, 'honoursIdempotency'>;
  origin: string;
  log: Log;
}): Promise<IdempotencyMemory> {
  const origins = store.collection('origins', z.object({ honoursIdempotency: z.literal(true) }));
  let remembered = (await origins.get(origin)) !== undefined;
  return {
    honoured: () => remembered,
    async remember() {
      if (remembered || !images.honoursIdempotency()) return;
      remembered = true;
      // Forgetting it is safe: then an interrupted submission counts as unclear.
      await origins.set(origin, { honoursIdempotency: true }).catch((error: unknown) => {
        log.error({ err: error, origin }, 'what the image service announced could not be written down');
      });
    },
  };
}
