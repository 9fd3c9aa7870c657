import { type ImageClient, ServiceError } from '@darkroom/image-api';
import type { Metrics } from './metrics.ts';

/** The client of the image service, whose calls are told to `metrics`. One that its caller ends says nothing of the service. */
export function measureImages(images: ImageClient, metrics: Metrics): ImageClient {
  const measured =
    <Given extends unknown[], Result>(operation: string, call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const startedAt = performance.now();
      try {
        const result = await call(...given);
        metrics.serviceCall(operation, 'ok', performance.now() - startedAt);
        return result;
      } catch (error) {
        if (error instanceof ServiceError)
          metrics.serviceCall(operation, error.kind, performance.now() - startedAt);
        throw error;
      }
    };

  return {
    ...images,
    submit: measured('submit', images.submit),
    status: measured('status', images.status),
    cancel: measured('cancel', images.cancel),
    list: measured('list', images.list),
    balance: measured('balance', images.balance),
    generateKey: measured('generate_key', images.generateKey),
    getKey: measured('get_key', images.getKey),
    revokeKey: measured('revoke_key', images.revokeKey),
    download: measured('download', images.download),
  };
}
