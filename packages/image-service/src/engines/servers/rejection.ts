import type { Rejection, Unavailable } from '../engine.ts';
import { inTime } from './in-time.ts';
import type { ServerDirectory } from './pool.ts';
import { explainMissingModel, type RequiredModel } from './required-model.ts';

/** Whoever is told to come back is not told to come back at once. */
const MIN_RETRY_MS = 1_000;

/**
 * Why the servers cannot draw something: none answers nor draws, or none has a model that it takes. Undefined where one
 * can, and where not every server can be asked: then the drawing itself may fail.
 */
export async function findServerRejection({
  required,
  isAllowed = () => true,
  model,
  servers,
  signal,
}: {
  required: readonly RequiredModel[];
  /** Whether callers may use a model. */
  isAllowed?: (model: string) => boolean;
  /** The model that the caller has named, and that is one of `required`. */
  model: string | undefined;
  servers: ServerDirectory;
  signal: AbortSignal;
}): Promise<Rejection | Unavailable | undefined> {
  async function ask(): Promise<Rejection | Unavailable | undefined> {
    if ((await servers.healthyServers(signal)).length === 0 && !servers.isDrawing()) {
      const retryAfterMs = Math.max(MIN_RETRY_MS, servers.backoffMs());
      return { reason: 'No image server can be reached at the moment.', retryAfterMs };
    }
    for (const each of required) {
      const missing = await servers.missingModel(each, signal);
      if (!missing) continue;
      const available = missing.available.filter(isAllowed);
      const reason = explainMissingModel({ ...missing, available });
      if (each.exact) return { field: 'prompt', reason };
      return model === undefined
        ? { field: 'workflow', reason }
        : { field: 'model', reason, allowed: available };
    }
    return undefined;
  }
  return inTime(ask, signal);
}
