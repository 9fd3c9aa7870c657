import {
  createSketcher,
  isLarge,
  type Margins,
  type SketcherOptions,
  type SketchRequest,
  sizeOf,
} from '@darkroom/sketch';
import { isRepeated } from './drawn-from-words.ts';
import {
  type Abilities,
  ALL_ABILITIES,
  DrawingError,
  type DrawingParameters,
  type DrawOptions,
  type Engine,
  type Operations,
  type Rejection,
  type Source,
} from './engine.ts';
import { readGraphParameters, textOfGraph } from './graph-parameters.ts';

const ABILITIES: Abilities = {
  ...ALL_ABILITIES,
  effects: ['negative_prompt', 'steps', 'seed', 'cfg', 'variation_of'],
};

/** It sees no picture, but knows the scenes of its own: they are drawn again, larger or with more around them. */
const OPERATIONS: Operations = {
  upscale: { ownOnly: true },
  expand: {
    ownOnly: true,
    warning: ({ drawing }, prompt) =>
      prompt === '' || !drawing || prompt === drawing.prompt
        ? undefined
        : 'prompt has no effect: a sketch goes on with the words that it was drawn from',
  },
};

const NOT_OWN = 'The sketch engine can enlarge and expand what it has drawn itself, and no other picture.';

/**
 * The engine that needs no model and no GPU. It does not run a graph, but sketches what the graph says about its
 * picture.
 */
export function createSketchEngine(options: SketcherOptions = {}): Engine {
  const sketcher = createSketcher(options);
  return {
    name: 'sketch',

    abilities: () => ABILITIES,

    operations: async () => OPERATIONS,

    rejection: async ({ source }) => (source ? problemWith(source) : undefined),

    // The sketcher draws one large picture at a time: the next one waits in the queue, and takes no slot of others.
    isBeside: async ({ source }) =>
      source !== undefined && isRepeated(source) && isLarge(requestOfSource(source)),

    async draw(drawing, { signal, onProgress, readInput }) {
      const request = { ...requestOf(drawing), ...(await keptOf(drawing.source, readInput)) };
      const { notDrawn, ...picture } = await sketcher.paint(request, { signal, onProgress });
      return { ...picture, notDrawn: namesSomething(drawing) ? notDrawn : [] };
    },

    close: sketcher.close,
  };
}

/** The most that a sketch becomes, in squares of the shorter side that it began with: what is added costs by these. */
const MOST_SQUARES = 64;

function problemWith(source: Source): Rejection | undefined {
  if (!isRepeated(source)) return { field: 'image', reason: NOT_OWN };
  if (source.operation !== 'expand') return undefined;
  const request = requestOfSource(source);
  const { width, height } = sizeOf(request);
  const most = MOST_SQUARES * Math.min(request.width, request.height) ** 2;
  if (width * height <= most) return undefined;
  return {
    field: 'expand',
    reason: `The result would have ${width} × ${height} pixels, and a sketch that began with ${request.width} × ${request.height} may have at most ${most} in all: expand it by less, or begin with one that is less narrow.`,
  };
}

/** What is painted for a drawing. Throws a `DrawingError` where it begins with a picture of another engine. */
const requestOf = (drawing: DrawingParameters): SketchRequest =>
  drawing.source ? requestOfSource(drawing.source) : requestOfWords(drawing);

function requestOfSource(given: Source): SketchRequest {
  const { source, earlier } = repeatedOf(given);
  const request = requestOf(earlier);
  const sides = request.margins ?? { left: 0, top: 0, right: 0, bottom: 0 };
  const each = (side: (name: keyof Margins) => number): Margins => ({
    left: side('left'),
    top: side('top'),
    right: side('right'),
    bottom: side('bottom'),
  });
  if (source.operation === 'expand')
    return { ...request, margins: each((name) => sides[name] + source.margins[name]) };
  const { scale } = source;
  return {
    ...request,
    width: request.width * scale,
    height: request.height * scale,
    margins: each((name) => sides[name] * scale),
  };
}

function requestOfWords(drawing: DrawingParameters): SketchRequest {
  const { prompt, negativePrompt, workflow, width, height, steps, seed, cfg, variationOf } = drawing;
  const seeds = variationOf === undefined ? { seed } : { seed: variationOf, variation: seed };
  // A graph's own values win over the drawing's.
  const words = typeof prompt === 'string' ? { prompt } : readGraphParameters(prompt);
  return { negativePrompt, workflow, width, height, steps, cfg, ...seeds, ...words };
}

type Repeated = Extract<Source, { operation: 'upscale' | 'expand' }>;

/** What is enlarged or expanded, and what it was drawn from. Throws a `DrawingError` where that is not known here. */
function repeatedOf(source: Source): { source: Repeated; earlier: DrawingParameters } {
  if ((source.operation === 'upscale' || source.operation === 'expand') && source.image.drawing)
    return { source, earlier: source.image.drawing };
  throw new DrawingError(NOT_OWN);
}

/** What is expanded stays as it is, to the pixel. */
async function keptOf(
  source: Source | undefined,
  readInput: DrawOptions['readInput'],
): Promise<Pick<SketchRequest, 'kept'>> {
  if (source?.operation !== 'expand') return {};
  const { left, top } = source.margins;
  return { kept: { bytes: await readInput(source.image), left, top } };
}

/** Whether there were words at first: a graph may have none. */
function namesSomething({ source, prompt }: DrawingParameters): boolean {
  if (source) return namesSomething(repeatedOf(source).earlier);
  return typeof prompt === 'string' || textOfGraph(prompt) !== undefined;
}
