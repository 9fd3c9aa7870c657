import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { z } from 'zod';
import type { Store } from '../../storage/store.ts';

/** Whether the image service's latest answer says that a submission with a known `Idempotency-Key` costs nothing. */
export type IdempotencySupport = Awaited<ReturnType<typeof createIdempotencySupport>>;

/** Kept across restarts: a process that has heard nothing yet goes by the last answer to an earlier one. */
export async function createIdempotencySupport({
  store,
  images,
  serviceName,
  log,
}: {
  store: Store;
  images: Pick<ImageClient, 'idempotencySupported'>;
  serviceName: string;
  log: Log;
}) {
  const services = store.collection('origins', z.object({ honoursIdempotency: z.literal(true) }));
  let saved = (await services.get(serviceName)) !== undefined;
  return {
    isSupported: (): boolean => images.idempotencySupported() ?? saved,
    /** Writes down what the client has seen; cheap when there is nothing new. Never rejects. */
    async save(): Promise<void> {
      const supported = images.idempotencySupported() ?? saved;
      if (supported === saved) return;
      try {
        if (supported) await services.set(serviceName, { honoursIdempotency: true });
        else await services.delete(serviceName);
        saved = supported;
      } catch (error) {
        log.error(
          { err: error, service: serviceName },
          'what the image service announces could not be written down',
        );
      }
    },
  };
}
