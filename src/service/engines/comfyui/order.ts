import type { Graph } from '../../../contract/graph.ts';
import type { Models } from '../../settings.ts';
import { type Drawing, DrawingError } from '../engine.ts';
import { type GraphRules, modelsOf, objectionTo, prepared } from './caller-graph.ts';
import { animeGraph } from './graphs/anime.ts';
import { defaultGraph } from './graphs/default.ts';
import { zImageGraph } from './graphs/z-image.ts';
import { CHECKPOINTS, forbidden, type ModelNeed } from './models.ts';

/** A drawing in ComfyUI's terms. */
export interface Order {
  needs: readonly ModelNeed[];
  /** The graph with the models that a server has for `needs`, in the same order. */
  graph(models: readonly string[]): Graph;
}

/** Throws a `DrawingError` for what will not be drawn on any server. */
export function readOrder(drawing: Drawing, models: Models, rules: GraphRules): Order {
  const { prompt, workflow, taskId } = drawing;
  if (typeof prompt !== 'string') {
    const objection = objectionTo(prompt, rules);
    if (objection !== undefined) throw new DrawingError(objection);
    return { needs: modelsOf(prompt), graph: () => prepared(prompt, taskId) };
  }
  const worded = { ...drawing, prompt };
  switch (workflow) {
    case 'default':
    case 'anime': {
      const name = drawing.model ?? models[workflow];
      const build = workflow === 'default' ? defaultGraph : animeGraph;
      if (rules.allowedModels && drawing.model !== undefined && !rules.allowedModels.has(drawing.model))
        throw new DrawingError(forbidden(drawing.model));
      return {
        needs: [{ folder: CHECKPOINTS, name }],
        graph: ([checkpoint = name]) => build(worded, checkpoint),
      };
    }
    case 'z-image': {
      const names = models['z-image'];
      return {
        needs: [
          { folder: 'diffusion_models', name: names.diffusionModel },
          { folder: 'text_encoders', name: names.textEncoder },
          { folder: 'vae', name: names.vae },
        ],
        graph: ([diffusionModel = names.diffusionModel, textEncoder = names.textEncoder, vae = names.vae]) =>
          zImageGraph(worded, { diffusionModel, textEncoder, vae }),
      };
    }
    default:
      throw new DrawingError(`The workflow ${workflow} is not drawn by ComfyUI.`);
  }
}
