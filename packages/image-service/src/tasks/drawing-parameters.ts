import { randomInt } from 'node:crypto';
import { EFFECTS, type Graph, LIMITS, type Submission } from '@darkroom/image-api/contract';
import {
  type Abilities,
  type DrawingParameters,
  type Effect,
  type Source,
  UNKNOWN_SEED,
} from '../engines/engine.ts';
import { fitDrawing } from '../engines/fit-drawing.ts';
import { readGraphParameters } from '../engines/graph-parameters.ts';
import { parseJson } from '../engines/parse-json.ts';
import type { Size } from '../engines/size.ts';
import { sizeOfResult } from '../inputs/source-of.ts';
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
  source?: Source,
): ResolvedSubmission {
  if (typeof prompt !== 'string') return resolveGraph(prompt, workflow, given);
  const { defaults, effects, abilities } = workflow;
  const ignored = EFFECTS.filter((name) => asksFor(given[name]) && !effects.includes(name));
  const use = <Name extends Effect>(name: Name) => (effects.includes(name) ? given[name] : undefined);
  const seed = use('seed') ?? LIMITS.seed.default;
  const { drawing, warnings } = fitDrawing(
    {
      workflow: workflow.like,
      prompt: prompt || promptOf(source),
      negativePrompt: use('negative_prompt') ?? defaults.negativePrompt,
      ...wantedSize(given, workflow, source),
      steps: use('steps') ?? defaults.steps,
      seed: seed === LIMITS.seed.default ? randomInt(SEEDS) : seed,
      cfg: use('cfg') ?? defaults.cfg,
      model: use('model') ?? defaults.model,
      variationOf: use('variation_of'),
      nsfw: use('nsfw'),
      ...(source && { source }),
    },
    abilitiesFor(source, given, abilities),
  );
  return {
    parameters: drawing,
    warnings: [
      ...(isGraphAsText(prompt)
        ? ['prompt is drawn as words: a graph is sent as an object, not as text']
        : []),
      ...withoutEffect(given, source).map(
        (parameter) => `${parameter} has no effect in the operation ${source?.operation ?? 'generate'}`,
      ),
      ...ignored.map((parameter) => `${parameter} has no effect in the workflow ${workflow.name}`),
      ...warnings,
    ],
  };
}

/** A flag that is false is as good as left out. */
const asksFor = (value: unknown): boolean => value !== undefined && value !== false;

/** What an expansion without words continues: what the picture was drawn from, where that is known. */
function promptOf(source: Source | undefined): string {
  const words = source?.operation === 'expand' ? source.image.drawing?.prompt : undefined;
  return typeof words === 'string' ? words : '';
}

type GivenSize = Pick<Submission, 'width' | 'height'>;

function wantedSize(
  { width, height }: GivenSize,
  { defaults }: OfferedWorkflow,
  source: Source | undefined,
): Size {
  const own = source ? sizeOfResult(source) : defaults;
  // Of what is made of a picture, only an edit may have another size.
  return source && source.operation !== 'edit'
    ? own
    : { width: width ?? own.width, height: height ?? own.height };
}

/** A picture keeps its own size where it can; what is no drawing is bound by nothing that an engine draws. */
function abilitiesFor(
  source: Source | undefined,
  { width, height }: GivenSize,
  abilities: Abilities,
): Abilities {
  if (!source) return abilities;
  if (source.operation !== 'edit') return { ...abilities, sizeStep: 1, maxPixels: Infinity, sizes: [] };
  return width === undefined && height === undefined ? { ...abilities, sizeStep: 1, sizes: [] } : abilities;
}

/** The parameters about pictures, and their size, that were given in vain. */
function withoutEffect(given: object, source: Source | undefined): string[] {
  const used = source ? USED[source.operation] : SIZE;
  return [...SIZE, 'mask', 'strength', 'scale', 'expand'].filter(
    (name) => Reflect.get(given, name) !== undefined && !used.includes(name),
  );
}

const SIZE = ['width', 'height'];
const USED: Readonly<Record<Source['operation'], readonly string[]>> = {
  edit: [...SIZE, 'mask', 'strength'],
  upscale: ['scale'],
  expand: ['expand'],
  remove_background: [],
};

/** Whether words are JSON with nodes in it: a graph that was turned into text once more than was meant. */
function isGraphAsText(prompt: string): boolean {
  if (!/^\s*\{/.test(prompt) || !prompt.includes('"class_type"')) return false;
  return parseJson(prompt) !== undefined;
}

/**
 * A complete graph has its own parameters. What cannot be read from it is the workflow's default; its seed is
 * unknown.
 */
function resolveGraph(graph: Graph, workflow: OfferedWorkflow, others: object): ResolvedSubmission {
  const ignored = Object.entries(others).filter(([, value]) => asksFor(value));
  const { parameters } = resolveParameters({ prompt: '' }, workflow);
  return {
    parameters: { ...parameters, seed: UNKNOWN_SEED, ...readGraphParameters(graph), prompt: graph },
    warnings: ignored.map(([parameter]) => `${parameter} has no effect beside a complete graph`),
  };
}
