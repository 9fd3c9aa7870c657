import { createSketcher, type SketcherOptions } from '@darkroom/sketch';
import type { Engine } from './engine.ts';
import { readGraphParameters } from './graph-parameters.ts';

/** The engine that needs no model and no GPU. It does not run a graph, but sketches what the graph says about its picture. */
export function createSketchEngine(options: SketcherOptions = {}): Engine {
  const sketcher = createSketcher(options);
  return {
    name: 'sketch',

    warnings: ({ model, workflow }) =>
      model === undefined ? [] : [`model has no effect in the workflow ${workflow}, which is sketched here`],

    draw({ prompt, negativePrompt, workflow, width, height, steps, seed, cfg }, { signal, onProgress }) {
      const order = { negativePrompt, workflow, width, height, steps, seed, cfg };
      // A graph's own values win over the drawing's.
      const words = typeof prompt === 'string' ? { prompt } : readGraphParameters(prompt);
      return sketcher.paint({ ...order, ...words }, { signal, onProgress: onProgress });
    },

    close: sketcher.close,
  };
}
