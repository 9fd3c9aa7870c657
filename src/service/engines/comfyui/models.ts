import type { GraphNode } from '../../../contract/graph.ts';
import { type Models, modelList } from '../../settings.ts';
import { excerpt } from './excerpt.ts';

export const MODELS: Models = modelList.parse({});

/** The folder of the models that callers name in words. */
export const CHECKPOINTS = 'checkpoints';

/** That a model is not among the allowed ones, in a sentence. */
export const forbidden = (model: string): string => `The model ${excerpt(model, 100)} may not be used here.`;

/** A model that a graph needs, by the server's folder of it. */
export interface ModelNeed {
  folder: string;
  name: string;
  /** Nothing but the very name will do: it stands in a graph that is not ours to change. */
  exact?: boolean;
}

/** The model that is meant among those of a server: the very name, or the first whose file name begins with it. */
export function findModel(listed: readonly string[], { name, exact }: ModelNeed): string | undefined {
  if (listed.includes(name)) return name;
  if (exact) return undefined;
  return listed.toSorted().find((path) => path.slice(path.search(/[^\\/]*$/)).startsWith(name));
}

/** Inputs of built-in nodes that name a model, with the folder that it lies in. */
const FOLDERS: Readonly<Record<string, string>> = {
  ckpt_name: 'checkpoints',
  unet_name: 'diffusion_models',
  vae_name: 'vae',
  lora_name: 'loras',
  control_net_name: 'controlnet',
  style_model_name: 'style_models',
  hypernetwork_name: 'hypernetworks',
  clip_name: 'text_encoders',
  clip_name1: 'text_encoders',
  clip_name2: 'text_encoders',
  clip_name3: 'text_encoders',
  clip_name4: 'text_encoders',
};

/** The same input name means another folder in these nodes. */
const FOLDERS_BY_NODE: Readonly<Record<string, Record<string, string>>> = {
  CLIPVisionLoader: { clip_name: 'clip_vision' },
  UpscaleModelLoader: { model_name: 'upscale_models' },
};

/** The inputs of a node that name models: input → folder. */
export function modelInputs(node: GraphNode): [input: string, folder: string][] {
  const own = Object.hasOwn(FOLDERS_BY_NODE, node.class_type) ? FOLDERS_BY_NODE[node.class_type] : undefined;
  return Object.keys(node.inputs).flatMap((input) => {
    const folder =
      own?.[input] ?? (Object.hasOwn(FOLDERS, input) && own === undefined ? FOLDERS[input] : undefined);
    return folder === undefined ? [] : [[input, folder]];
  });
}
