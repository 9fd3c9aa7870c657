import { withTimeout } from '@darkroom/time';
import type { Away, Rejection, RequestedDrawing } from '../engine.ts';
import { type GraphRules, graphRejection } from './caller-graph.ts';
import { explainForbiddenModel, explainMissingModel } from './explain.ts';
import { modelsOfWorkflow } from './graph-plan.ts';
import type { ServerPool } from './server-pool.ts';
import type { Models } from './workflow-models.ts';

/**
 * How long a caller waits for the servers' answers. The calls themselves go on, so that a server that does not answer gets
 * its back-off.
 */
const WAIT_MS = 2_000;
/** Whoever is told to come back is not told to come back at once. */
const MIN_RETRY_MS = 1_000;

/**
 * Why something cannot be drawn. Undefined where it can, and where not every server can be asked: then the drawing itself
 * may fail.
 */
export async function findRejection(
  request: RequestedDrawing,
  {
    models,
    rules,
    pool,
    signal,
  }: { models: Models; rules: GraphRules; pool: ServerPool; signal: AbortSignal },
): Promise<Rejection | Away | undefined> {
  const { prompt, model } = request;
  const { allowedModels: allowed } = rules;
  if (typeof prompt !== 'string') {
    const reason = graphRejection(prompt, rules);
    if (reason !== undefined) return { field: 'prompt', reason };
  }
  if (model !== undefined && allowed && !allowed.has(model))
    return { field: 'model', reason: explainForbiddenModel(model), allowed: [...allowed] };

  async function askServers(): Promise<Rejection | Away | undefined> {
    const healthy = await pool.healthyServers(signal);
    if (healthy.length === 0) {
      const retryAfterMs = Math.max(MIN_RETRY_MS, pool.backoffMs());
      return { reason: 'No image server can be reached at the moment.', retryAfterMs };
    }
    const required = typeof prompt === 'string' ? (modelsOfWorkflow(request, models) ?? []) : [];
    for (const each of required) {
      const missing = await pool.missingModel(each, signal);
      if (!missing) continue;
      const available = missing.available.filter((name) => allowed?.has(name) ?? true);
      const reason = explainMissingModel({ ...missing, available });
      return model === undefined
        ? { field: 'workflow', reason }
        : { field: 'model', reason, allowed: available };
    }
    return undefined;
  }
  return withTimeout(WAIT_MS, askServers, { signal }).catch(() => undefined);
}
