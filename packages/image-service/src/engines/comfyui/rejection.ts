import type { Rejection, RequestedDrawing, Unavailable } from '../engine.ts';
import type { ServerDirectory } from '../servers/pool.ts';
import { findServerRejection } from '../servers/rejection.ts';
import { type GraphRules, graphRejection, requiredModels } from './caller-graph.ts';
import { explainForbiddenModel } from './explain.ts';
import { modelsOfDrawing } from './graph-plan.ts';
import type { Models } from './workflow-models.ts';

/** Why ComfyUI will not draw something; undefined where it may. */
export async function findRejection(
  request: RequestedDrawing,
  {
    models,
    rules,
    servers,
    signal,
  }: { models: Models; rules: GraphRules; servers: ServerDirectory; signal: AbortSignal },
): Promise<Rejection | Unavailable | undefined> {
  const { prompt, model } = request;
  const { allowedModels: allowed } = rules;
  if (typeof prompt !== 'string') {
    const reason = graphRejection(prompt, rules);
    if (reason !== undefined) return { field: 'prompt', reason };
  }
  if (model !== undefined && allowed && !allowed.has(model))
    return { field: 'model', reason: explainForbiddenModel(model), allowed: [...allowed] };
  return findServerRejection({
    required: typeof prompt === 'string' ? (modelsOfDrawing(request, models) ?? []) : requiredModels(prompt),
    isAllowed: (name) => allowed?.has(name) ?? true,
    model,
    servers,
    signal,
  });
}
