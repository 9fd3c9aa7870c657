import { withTimeout } from '@darkroom/time';
import type { Rejection } from '../engine.ts';
import { explainForbiddenModel, explainMissingModel } from './explain.ts';
import { CHECKPOINTS } from './models.ts';
import type { ServerPool } from './server-pool.ts';

/**
 * How long a caller waits for the servers' lists of models. The calls themselves go on, so that a server that does not
 * answer gets its back-off.
 */
const WAIT_MS = 2_000;

/**
 * Why a model that a caller names cannot be used. Undefined where it can, and where not every server can be asked: then
 * the drawing itself may fail.
 */
export async function modelRejection(
  model: string,
  {
    allowed,
    pool,
    signal,
  }: { allowed: ReadonlySet<string> | undefined; pool: ServerPool; signal: AbortSignal },
): Promise<Rejection | undefined> {
  if (allowed && !allowed.has(model))
    return { field: 'model', reason: explainForbiddenModel(model), allowed: [...allowed] };
  const required = { folder: CHECKPOINTS, name: model };
  const missing = await withTimeout(WAIT_MS, () => pool.missingModel(required, signal), { signal }).catch(
    () => undefined,
  );
  if (!missing) return undefined;
  const available = missing.available.filter((name) => allowed?.has(name) ?? true);
  return { field: 'model', reason: explainMissingModel({ ...missing, available }), allowed: available };
}
