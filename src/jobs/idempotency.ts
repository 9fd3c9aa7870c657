import { z } from 'zod';
import type { ImageClient } from '../client/client.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';

/** Whether the image service announces, in its latest answer, that a repeated `Idempotency-Key` is not charged twice. */
export interface IdempotencyMemory {
  honoured(): boolean;
  /** Writes down what the client has seen; cheap when there is nothing new. Never rejects. */
  remember(): Promise<void>;
}

/** Remembered per service across restarts: a process that has heard nothing yet goes by the last answer to an earlier one. */
export async function createIdempotencyMemory({
  store,
  images,
  service,
  log,
}: {
  store: Store;
  images: Pick<ImageClient, 'honoursIdempotency'>;
  /** Its name. */
  service: string;
  log: Log;
}): Promise<IdempotencyMemory> {
  const services = store.collection('origins', z.object({ honoursIdempotency: z.literal(true) }));
  let remembered = (await services.get(service)) !== undefined;
  return {
    honoured: () => images.honoursIdempotency() ?? remembered,
    async remember() {
      const honoured = images.honoursIdempotency() ?? remembered;
      if (honoured === remembered) return;
      try {
        if (honoured) await services.set(service, { honoursIdempotency: true });
        else await services.delete(service);
        remembered = honoured;
      } catch (error) {
        log.error({ err: error, service }, 'what the image service announces could not be written down');
      }
    },
  };
}
