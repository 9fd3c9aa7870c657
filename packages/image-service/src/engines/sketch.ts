import { createSketcher, type SketcherOptions } from '@darkroom/sketch';
import type { Engine } from './engine.ts';
import { readGraphParameters, textOfGraph } from './graph-parameters.ts';

/** The engine that needs no model and no GPU. It does not run a graph, but sketches what the graph says about its picture. */
export function createSketchEngine(options: SketcherOptions = {}): Engine {
  const sketcher = createSketcher(options);
  return {
    name: 'sketch',

    warnings: ({ model, workflow }) =>
      model === undefined ? [] : [`model has no effect in the workflow ${workflow}, which is sketched here`],

    async draw(
      { prompt, negativePrompt, workflow, width, height, steps, seed, cfg },
      { signal, onProgress },
    ) {
      const order = { negativePrompt, workflow, width, height, steps, seed, cfg };
      // A graph's own values win over the drawing's.
      const words = typeof prompt === 'string' ? { prompt } : readGraphParameters(prompt);
      const { notDrawn, ...picture } = await sketcher.paint({ ...order, ...words }, { signal, onProgress });
      // A graph without words names nothing.
      const named = typeof prompt === 'string' || textOfGraph(prompt) !== undefined;
      return { ...picture, notDrawn: named ? notDrawn : [] };
    },

    close: sketcher.close,
  };
}
