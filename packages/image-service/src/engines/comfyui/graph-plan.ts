import type { Graph } from '@darkroom/image-api';
import { type Drawing, DrawingError } from '../engine.ts';
import { type GraphRules, graphRejection, prepareGraph, requiredModels } from './caller-graph.ts';
import { explainForbiddenModel } from './explain.ts';
import { animeGraph } from './graphs/anime.ts';
import { defaultGraph } from './graphs/default.ts';
import { zImageGraph } from './graphs/z-image.ts';
import { CHECKPOINTS, type RequiredModel } from './models.ts';
import type { Models } from './workflow-models.ts';

/** How ComfyUI draws something: the models that it takes, and the graph. */
export interface GraphPlan {
  required: readonly RequiredModel[];
  /** The graph with a server's own names of the required models, in the same order. */
  graph(models: readonly string[]): Graph;
}

/** Throws a `DrawingError` for what no server will draw. */
export function planGraph(drawing: Drawing, models: Models, rules: GraphRules): GraphPlan {
  const { prompt, workflow, taskId } = drawing;
  if (typeof prompt !== 'string') {
    const rejection = graphRejection(prompt, rules);
    if (rejection !== undefined) throw new DrawingError(rejection);
    return { required: requiredModels(prompt), graph: () => prepareGraph(prompt, taskId) };
  }
  const textDrawing = { ...drawing, prompt };
  switch (workflow) {
    case 'default':
    case 'anime': {
      const name = drawing.model ?? models[workflow];
      const build = workflow === 'default' ? defaultGraph : animeGraph;
      if (rules.allowedModels && drawing.model !== undefined && !rules.allowedModels.has(drawing.model))
        throw new DrawingError(explainForbiddenModel(drawing.model));
      return {
        required: [{ folder: CHECKPOINTS, name }],
        graph: ([checkpoint = name]) => build(textDrawing, checkpoint),
      };
    }
    case 'z-image': {
      const names = models['z-image'];
      return {
        required: [
          { folder: 'diffusion_models', name: names.diffusionModel },
          { folder: 'text_encoders', name: names.textEncoder },
          { folder: 'vae', name: names.vae },
        ],
        graph: ([diffusionModel = names.diffusionModel, textEncoder = names.textEncoder, vae = names.vae]) =>
          zImageGraph(textDrawing, { diffusionModel, textEncoder, vae }),
      };
    }
    default:
      throw new DrawingError(`The workflow ${workflow} is not drawn by ComfyUI.`);
  }
}
