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
  const itself = { folder: DIFFUSION, name: model };
  const kontext = models['flux-kontext'];
  if (is(kontext.diffusionModel)) {
    const encoders = [kontext.clip, kontext.t5].map((name) => ({ folder: ENCODERS, name }));
    const required = [itself, ...encoders, { folder: 'vae', name: kontext.vae }];
    return { images: 1, required, graph: fluxKontextGraph };
  }
  const qwen = models['qwen-image-edit'];
  if (is(qwen.diffusionModel)) {
    const required = [
      itself,
      { folder: ENCODERS, name: qwen.textEncoder },
      { folder: 'vae', name: qwen.vae },
    ];
    return { images: 3, required, graph: qwenImageEditGraph };
  }
  return undefined;
}

const DIFFUSION = 'diffusion_models';
const ENCODERS = 'text_encoders';
