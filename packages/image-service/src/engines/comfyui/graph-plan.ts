import type { Graph } from '@darkroom/image-api';
import { type Drawing, DrawingError } from '../engine.ts';
import type { RequiredModel } from '../servers/required-model.ts';
import { type GraphRules, graphRejection, prepareGraph, requiredModels } from './caller-graph.ts';
import { explainForbiddenModel } from './explain.ts';
import { animeGraph } from './graphs/anime.ts';
import { defaultGraph } from './graphs/default.ts';
import { zImageGraph } from './graphs/z-image.ts';
import { CHECKPOINTS } from './models.ts';
import type { Models } from './workflow-models.ts';

/** How ComfyUI draws something: the models that it takes, and the graph. */
export interface GraphPlan {
  required: readonly RequiredModel[];
  /** The graph with a server's own names of the required models, in the same order. */
  graph(models: readonly string[]): Graph;
}

/** The models that a workflow takes, by `model` or the operator's own; undefined where ComfyUI does not draw it. */
export function modelsOfWorkflow(
  { workflow, model }: Pick<Drawing, 'workflow' | 'model'>,
  models: Models,
): readonly RequiredModel[] | undefined {
  switch (workflow) {
    case 'default':
    case 'anime':
      return [{ folder: CHECKPOINTS, name: model ?? models[workflow] }];
    case 'z-image': {
      const { diffusionModel, textEncoder, vae } = models['z-image'];
      return [
        { folder: 'diffusion_models', name: diffusionModel },
        { folder: 'text_encoders', name: textEncoder },
        { folder: 'vae', name: vae },
      ];
    }
    default:
      return undefined;
  }
}

/** Throws a `DrawingError` for what no server will draw. */
export function planGraph(drawing: Drawing, models: Models, rules: GraphRules): GraphPlan {
  const { prompt, workflow, model } = drawing;
  if (typeof prompt !== 'string') {
    const rejection = graphRejection(prompt, rules);
    if (rejection !== undefined) throw new DrawingError(rejection);
    return { required: requiredModels(prompt), graph: () => prepareGraph(prompt) };
  }
  const required = modelsOfWorkflow(drawing, models);
  if (!required) throw new DrawingError(`The workflow ${workflow} is not drawn by ComfyUI.`);
  if (rules.allowedModels && model !== undefined && !rules.allowedModels.has(model))
    throw new DrawingError(explainForbiddenModel(model));
  return {
    required,
    graph: (found) =>
      buildGraph(
        { ...drawing, prompt },
        required.map(({ name }, at) => found[at] ?? name),
      ),
  };
}

/** `names`: the models of the workflow, in the order of `modelsOfWorkflow`. */
function buildGraph(drawing: Drawing & { prompt: string }, names: readonly string[]): Graph {
  const [first = '', textEncoder = '', vae = ''] = names;
  if (drawing.workflow === 'z-image')
    return zImageGraph(drawing, { diffusionModel: first, textEncoder, vae });
  return drawing.workflow === 'anime' ? animeGraph(drawing, first) : defaultGraph(drawing, first);
}
