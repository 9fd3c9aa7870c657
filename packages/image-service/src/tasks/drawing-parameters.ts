import { randomInt } from 'node:crypto';
import { type Graph, LIMITS, type Submission } from '@darkroom/image-api';
import { type DrawingParameters, type Effect, UNKNOWN_SEED } from '../engines/engine.ts';
import { fitDrawing } from '../engines/fit-drawing.ts';
import { readGraphParameters } from '../engines/graph-parameters.ts';
import type { OfferedWorkflow } from '../workflows/workflows.ts';

/** One more than the largest seed that is drawn here: seeds are unsigned 32-bit integers. */
const SEEDS = 2 ** 32;

/** A drawing with all that a submission leaves out, and a warning for whatever is not drawn as it was asked for. */
interface ResolvedSubmission {
  parameters: DrawingParameters;
  warnings: string[];
}

/** Fills in the defaults of a workflow, as its engine can draw them. */
export function resolveParameters(
  { prompt, workflow: _named, ...given }: Submission,
  workflow: OfferedWorkflow,
): ResolvedSubmission {
  if (typeof prompt !== 'string') return resolveGraph(prompt, workflow, given);
  const { defaults, effects, abilities } = workflow;
  const ignored = ALL_EFFECTS.filter((name) => given[name] !== undefined && !effects.includes(name));
  const use = <Name extends Effect>(name: Name) => (effects.includes(name) ? given[name] : undefined);
  const seed = use('seed') ?? LIMITS.seed.default;
  const { drawing, warnings } = fitDrawing(
    {
      workflow: workflow.like,
      prompt,
      negativePrompt: use('negative_prompt') ?? defaults.negativePrompt,
      width: given.width ?? defaults.width,
      height: given.height ?? defaults.height,
      steps: use('steps') ?? defaults.steps,
      seed: seed === LIMITS.seed.default ? randomInt(SEEDS) : seed,
      cfg: use('cfg') ?? defaults.cfg,
      model: use('model') ?? defaults.model,
      variationOf: use('variation_of'),
    },
    abilities,
  );
  return {
    parameters: drawing,
    warnings: [
      ...(isGraphAsText(prompt)
        ? ['prompt is drawn as words: a graph is sent as an object, not as text']
        : []),
      ...ignored.map((parameter) => `${parameter} has no effect in the workflow ${workflow.name}`),
      ...warnings,
    ],
  };
}

const ALL_EFFECTS = [
  'negative_prompt',
  'steps',
  'seed',
  'cfg',
  'model',
  'variation_of',
] as const satisfies Effect[];

/** Whether words are JSON with nodes in it: a graph that was turned into text once more than was meant. */
function isGraphAsText(prompt: string): boolean {
  if (!/^\s*\{/.test(prompt) || !prompt.includes('"class_type"')) return false;
  try {
    JSON.parse(prompt);
    return true;
  } catch {
    return false;
  }
}

/** A complete graph has its own parameters. What cannot be read from it is the workflow's default; its seed is unknown. */
function resolveGraph(graph: Graph, workflow: OfferedWorkflow, others: object): ResolvedSubmission {
  const ignored = Object.entries(others).filter(([, value]) => value !== undefined);
  const { parameters } = resolveParameters({ prompt: '' }, workflow);
  return {
    parameters: { ...parameters, seed: UNKNOWN_SEED, ...readGraphParameters(graph), prompt: graph },
    warnings: ignored.map(([parameter]) => `${parameter} has no effect beside a complete graph`),
  };
}
