import type { CapabilitiesAnswer, TaskOperation } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, createCache } from '@darkroom/time';
import type { OperationOfPictures, Operations, Rejection } from '../engines/engine.ts';
import { workloadOf } from '../engines/workload.ts';
import type { Price } from '../ledger/price.ts';
import { wholeSeconds } from '../rate-limit.ts';
import { resolveParameters } from '../tasks/drawing-parameters.ts';
import { explainNotOffered } from './missing-models.ts';
import { operationsOf, type Rejections } from './rejections.ts';
import type { OfferedWorkflow, Workflows } from './workflows.ts';

type OfferedCapabilities = CapabilitiesAnswer['workflows'];

/** For so long the same is told again: engines are asked about their models and machines for each answer. */
const FRESH_MS = 10_000;

/** What the workflows of a service can do now, in the contract's form. One whose models nobody has is left out. */
export function createCapabilities({
  workflows,
  rejections,
  price,
  clock,
  log,
}: {
  workflows: Pick<Workflows, 'all'>;
  rejections: Pick<Rejections, 'ofEngine'>;
  price: Price;
  clock: Clock;
  /** Hears once of each workflow that is left out. */
  log: Log;
}): () => Promise<OfferedCapabilities> {
  const latest = createCache<'workflows', Promise<OfferedCapabilities>>({ max: 1, ttlMs: FRESH_MS, clock });
  const told = new Set<string>();

  function noteLeftOut(workflow: OfferedWorkflow, rejection: Rejection): void {
    const sentence = explainNotOffered(workflow, rejection);
    if (told.has(sentence)) return;
    told.add(sentence);
    log[workflow.isExpected ? 'warn' : 'info'](sentence);
  }

  async function describe(workflow: OfferedWorkflow): Promise<OfferedCapabilities> {
    const { name, like, engine, abilities, graphs, defaults } = workflow;
    const problem = await rejections.ofEngine(workflow, { prompt: '', model: undefined });
    if (problem && !('retryAfterMs' in problem)) {
      noteLeftOut(workflow, problem);
      return [];
    }
    const unavailable = problem;
    // An engine that was asked may know more of itself.
    const { effects } = workflow;
    const { previews, cancelling } = engine.abilities(like, defaults.model) ?? abilities;
    const { parameters } = resolveParameters({ prompt: '' }, workflow);
    const priceOf = (operation: TaskOperation) =>
      price({ workflow: name, ...workloadOf(parameters), operation });
    const models = effects.includes('model') && !unavailable ? await engine.models?.(like) : [];
    return [
      {
        name,
        engine: engine.name,
        available: unavailable === undefined,
        ...(unavailable && { retry_after_seconds: wholeSeconds(unavailable.retryAfterMs) }),
        effects: [...effects],
        models: [...(models ?? [])],
        size: {
          width: parameters.width,
          height: parameters.height,
          step: abilities.sizeStep,
          max_pixels: abilities.maxPixels,
        },
        steps: { default: parameters.steps, max: abilities.maxSteps },
        graphs,
        ...(!abilities.fromWords && { from_words: false }),
        previews,
        cancelling,
        seen_by_strangers: abilities.seenByStrangers,
        ...(abilities.sentTo !== undefined && { sent_to: abilities.sentTo }),
        cost: price({ workflow: name, ...workloadOf(parameters) }),
        operations: unavailable ? {} : offersOf(await operationsOf(workflow), priceOf),
      },
    ];
  }

  return () =>
    latest.recall('workflows', async () => (await Promise.all(workflows.all.map(describe))).flat());
}

/** In the contract's form. */
function offersOf(
  { edit, upscale, expand, remove_background }: Operations,
  priceOf: (operation: TaskOperation) => number,
): OfferedCapabilities[number]['operations'] {
  const offer = (operation: TaskOperation, { ownOnly }: OperationOfPictures) => ({
    cost: priceOf(operation),
    ...(ownOnly && { only_drawn: true }),
  });
  return {
    ...(edit && { edit: { ...edit, cost: priceOf('edit') } }),
    ...(upscale && { upscale: { scales: [2, 4], ...offer('upscale', upscale) } }),
    ...(expand && { expand: offer('expand', expand) }),
    ...(remove_background && { remove_background: offer('remove_background', remove_background) }),
  };
}
