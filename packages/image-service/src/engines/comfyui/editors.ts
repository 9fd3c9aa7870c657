import type { Graph } from '@darkroom/image-api';
import type { Drawing, PromptedDrawing } from '../engine.ts';
import { findModel, type RequiredModel } from '../servers/required-model.ts';
import { fluxKontextGraph } from './graphs/flux-kontext.ts';
import { qwenImageEditGraph } from './graphs/qwen-image-edit.ts';
import type { Models } from './workflow-models.ts';

/** A model that changes a picture as the words say, and draws what they say where there is none. */
export interface Editor {
  /** The most pictures that it sees. */
  images: number;
  /** Itself first. */
  required: readonly RequiredModel[];
  /** `models`: in the order of `required`. */
  graph(drawing: PromptedDrawing, models: readonly string[], pictures: readonly string[]): Graph;
}

/** The editor that a workflow is drawn by, where its model has the name of one. */
export function editorOf(
  { workflow, model }: Pick<Drawing, 'workflow' | 'model'>,
  models: Models,
): Editor | undefined {
  if (model === undefined || workflow === 'z-image' || workflow === 'rr3') return undefined;
  const is = (name: string) => findModel([model], { folder: DIFFUSION, name }) !== undefined;
  const kontext = models['flux-kontext'];
  if (is(kontext.diffusionModel))
    return {
      images: 1,
      required: diffusionModels(model, [kontext.clip, kontext.t5], kontext.vae),
      graph: fluxKontextGraph,
    };
  const qwen = models['qwen-image-edit'];
  if (is(qwen.diffusionModel))
    return {
      images: 3,
      required: diffusionModels(model, [qwen.textEncoder], qwen.vae),
      graph: qwenImageEditGraph,
    };
  return undefined;
}

const DIFFUSION = 'diffusion_models';

/** A diffusion model, which comes without its text encoders and its VAE, and these. */
export const diffusionModels = (name: string, encoders: readonly string[], vae: string): RequiredModel[] => [
  { folder: DIFFUSION, name },
  ...encoders.map((encoder) => ({ folder: 'text_encoders', name: encoder })),
  { folder: 'vae', name: vae },
];
