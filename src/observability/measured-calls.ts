import { type ImageClient, ServiceError } from '@darkroom/image-api';
import type { Store } from '../storage/store.ts';
import type { Metrics, StoreOperation } from './metrics.ts';

type Call<Given extends unknown[], Result> = (...given: Given) => Promise<Result>;

/** `call`, whose end `tell` hears of, with the error if there was one. */
const timed =
  <Given extends unknown[], Result>(
    call: Call<Given, Result>,
    tell: (ms: number, error?: unknown) => void,
  ): Call<Given, Result> =>
  async (...given) => {
    const startedAt = performance.now();
    try {
      const result = await call(...given);
      tell(performance.now() - startedAt);
      return result;
    } catch (error) {
      tell(performance.now() - startedAt, error);
      throw error;
    }
  };

/** The client of the image service, whose calls are told to `metrics`, retries included. */
export function measureImages(images: ImageClient, metrics: Pick<Metrics, 'serviceCall'>): ImageClient {
  const measured = <Given extends unknown[], Result>(operation: string, call: Call<Given, Result>) =>
    timed(call, (ms, error) => {
      if (error === undefined) metrics.serviceCall(operation, 'ok', ms);
      // Anything else is the reason of a caller who no longer waits, or who has no room for a picture of that size,
      // and says nothing of the service.
      else if (error instanceof ServiceError && error.pictureBytes === undefined)
        metrics.serviceCall(operation, error.kind, ms);
    });
  return {
    ...images,
    submit: measured('submit', images.submit),
    dryRun: measured('dry_run', images.dryRun),
    upload: measured('upload', images.upload),
    status: measured('status', images.status),
    cancel: measured('cancel', images.cancel),
    list: measured('list', images.list),
    capabilities: measured('capabilities', images.capabilities),
    balance: measured('balance', images.balance),
    generateKey: measured('generate_key', images.generateKey),
    getKey: measured('get_key', images.getKey),
    revokeKey: measured('revoke_key', images.revokeKey),
    download: measured('download', images.download),
  };
}

/** The store, whose calls are told to `metrics`, with the time that they wait for others. */
export function measureStore(store: Store, metrics: Pick<Metrics, 'storeCall'>): Store {
  const measured = <Given extends unknown[], Result>(operation: StoreOperation, call: Call<Given, Result>) =>
    timed(call, (ms, error) => metrics.storeCall(operation, error === undefined ? 'ok' : 'failed', ms));
  return {
    ...store,
    write: measured('write', store.write),
    insert: measured('insert', store.insert),
    take: measured('take', store.take),
    counted: measured('read', store.counted),
    delete: measured('delete', store.delete),
    wipeDeleted: measured('wipe', store.wipeDeleted),
    collection(name, schema, options) {
      const collection = store.collection(name, schema, options);
      return {
        ...collection,
        get: measured('read', collection.get),
        getMany: measured('read', collection.getMany),
        list: measured('list', collection.list),
        ids: measured('list', collection.ids),
        set: measured('write', collection.set),
        update: measured('write', collection.update),
        delete: measured('delete', collection.delete),
        deleteAll: measured('delete', collection.deleteAll),
      };
    },
  };
}
