import type { Graph } from '@darkroom/image-api';
import {
  type Drawing,
  DrawingError,
  GraphError,
  type PromptedDrawing,
  type RequestedDrawing,
} from '../engine.ts';
import { strengthOf } from '../inputs.ts';
import type { RequiredModel } from '../servers/required-model.ts';
import { type GraphRules, graphRejection, prepareGraph, requiredModels } from './caller-graph.ts';
import { diffusionModels, type Editor, editorOf } from './editors.ts';
import { explainForbiddenModel } from './explain.ts';
import { animeGraph, defaultGraph, type SampledGraph } from './graphs/checkpoint.ts';
import { removeBackgroundGraph, upscaleGraph } from './graphs/filters.ts';
import { overPicture } from './graphs/over-picture.ts';
import { zImageGraph } from './graphs/z-image.ts';
import { BACKGROUND_REMOVERS, CHECKPOINTS, UPSCALERS } from './models.ts';
import type { UploadedInputs } from './uploads.ts';
import { type Models, USUAL_CHECKPOINT } from './workflow-models.ts';

/** How ComfyUI draws something: the models that it takes, and the graph. */
interface GraphPlan {
  required: readonly RequiredModel[];
  /**
   * The graph with a server's own names of the required models, in the same order, and of the pictures it begins
   * with.
   */
  graph(models: readonly string[], uploads?: UploadedInputs): Graph;
}

/** The models that a workflow takes, by `model` or the operator's own; undefined where ComfyUI does not draw it. */
export function modelsOfWorkflow(
  { workflow, model }: Pick<Drawing, 'workflow' | 'model'>,
  models: Models,
): readonly RequiredModel[] | undefined {
  switch (workflow) {
    case 'default':
    case 'anime': {
      const name = model ?? models[workflow];
      const orAny = model === undefined && name === USUAL_CHECKPOINT && models.allowed === undefined;
      return editorOf({ workflow, model }, models)?.required ?? [{ folder: CHECKPOINTS, name, orAny }];
    }
    case 'z-image': {
      const { diffusionModel, textEncoder, vae } = models['z-image'];
      return diffusionModels(model ?? diffusionModel, [textEncoder], vae);
    }
    default:
      return undefined;
  }
}

/** The models that a drawing takes; undefined where ComfyUI does not draw its workflow. */
export function modelsOfDrawing(
  drawing: Omit<RequestedDrawing, 'prompt'>,
  models: Models,
): readonly RequiredModel[] | undefined {
  switch (drawing.source?.operation) {
    case 'upscale':
      return [{ folder: UPSCALERS, name: models.upscale ?? '' }];
    case 'remove_background':
      return [{ folder: BACKGROUND_REMOVERS, name: models.background ?? '' }];
    default:
      return modelsOfWorkflow(drawing, models);
  }
}

/** Throws a `DrawingError` for what no server will draw. */
export function planGraph(drawing: Drawing, models: Models, rules: GraphRules): GraphPlan {
  const { prompt, workflow, model } = drawing;
  if (typeof prompt !== 'string') {
    const rejection = graphRejection(prompt, rules);
    if (rejection !== undefined) throw new GraphError(rejection);
    return { required: requiredModels(prompt), graph: () => prepareGraph(prompt) };
  }
  const required = modelsOfDrawing(drawing, models);
  if (!required) throw new DrawingError(`The workflow ${workflow} is not drawn by ComfyUI.`);
  if (rules.allowedModels && model !== undefined && !rules.allowedModels.has(model))
    throw new DrawingError(explainForbiddenModel(model));
  return {
    required,
    graph: (found, uploads = { pictures: [] }) =>
      buildGraph(
        { ...drawing, prompt },
        required.map(({ name }, at) => found[at] ?? name),
        uploads,
        editorOf(drawing, models),
      ),
  };
}

function buildGraph(
  drawing: PromptedDrawing,
  models: readonly string[],
  { pictures, mask }: UploadedInputs,
  editor: Editor | undefined,
): Graph {
  const { source } = drawing;
  const [model = ''] = models;
  const [picture = ''] = pictures;
  switch (source?.operation) {
    case 'upscale':
      return upscaleGraph(picture, model, drawing);
    case 'remove_background':
      return removeBackgroundGraph(picture, model);
    default: {
      if (editor) return editor.graph(drawing, models, pictures);
      const graph = workflowGraph(drawing, models);
      return source ? overPicture(graph, { picture, mask, strength: strengthOf(drawing) }) : graph;
    }
  }
}

/** `models`: in the order of `modelsOfWorkflow`. */
function workflowGraph(drawing: PromptedDrawing, models: readonly string[]): SampledGraph {
  const [first = '', textEncoder = '', vae = ''] = models;
  if (drawing.workflow === 'z-image')
    return zImageGraph(drawing, { diffusionModel: first, textEncoder, vae });
  return drawing.workflow === 'anime' ? animeGraph(drawing, first) : defaultGraph(drawing, first);
}
