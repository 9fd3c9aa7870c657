import { createSketcher, type SketcherOptions } from '@darkroom/sketch';
import { type Abilities, ALL_ABILITIES, type Engine } from './engine.ts';
import { readGraphParameters, textOfGraph } from './graph-parameters.ts';

const ABILITIES: Abilities = {
  ...ALL_ABILITIES,
  effects: ['negative_prompt', 'steps', 'seed', 'cfg', 'variation_of'],
};

/** The engine that needs no model and no GPU. It does not run a graph, but sketches what the graph says about its picture. */
export function createSketchEngine(options: SketcherOptions = {}): Engine {
  const sketcher = createSketcher(options);
  return {
    name: 'sketch',

    abilities: () => ABILITIES,

    async draw(
      { prompt, negativePrompt, workflow, width, height, steps, seed, cfg, variationOf },
      { signal, onProgress },
    ) {
      const seeds = variationOf === undefined ? { seed } : { seed: variationOf, variation: seed };
      const order = { negativePrompt, workflow, width, height, steps, cfg, ...seeds };
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
