import type { GraphNode } from '@darkroom/image-api';

/** The server's folder of the models that `model` in a submission names. */
export const CHECKPOINTS = 'checkpoints';
export const UPSCALERS = 'upscale_models';
export const BACKGROUND_REMOVERS = 'background_removal';
const VAES = 'vae';

/**
 * Nodes of which is read what they take, in place of their folder, and their input that names a model. Not every
 * installation has the first two, though it may have the folder; `VAELoader` also takes names that are in none, such as
 * `pixel_space` and `taesd` (`vae_list` in ComfyUI's `nodes.py`). Folder → node and input.
 */
export const LOADERS: Readonly<Record<string, { node: string; input: string }>> = {
  [UPSCALERS]: { node: 'UpscaleModelLoader', input: 'model_name' },
  [BACKGROUND_REMOVERS]: { node: 'LoadBackgroundRemovalModel', input: 'bg_removal_name' },
  [VAES]: { node: 'VAELoader', input: 'vae_name' },
};

/** Inputs of built-in nodes that name a model, and the folder of that model. */
const FOLDERS: Readonly<Record<string, string>> = {
  ckpt_name: 'checkpoints',
  unet_name: 'diffusion_models',
  vae_name: VAES,
  lora_name: 'loras',
  control_net_name: 'controlnet',
  style_model_name: 'style_models',
  hypernetwork_name: 'hypernetworks',
  clip_name: 'text_encoders',
  clip_name1: 'text_encoders',
  clip_name2: 'text_encoders',
  clip_name3: 'text_encoders',
  clip_name4: 'text_encoders',
  bg_removal_name: BACKGROUND_REMOVERS,
};

/** Nodes in which the same input names a model of another folder. */
const FOLDERS_BY_NODE: Readonly<Record<string, Record<string, string>>> = {
  CLIPVisionLoader: { clip_name: 'clip_vision' },
  UpscaleModelLoader: { model_name: UPSCALERS },
};

/** ComfyUI's own nodes that load models from these folders. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'CheckpointLoaderSimple',
  'unCLIPCheckpointLoader',
  'UNETLoader',
  'CLIPLoader',
  'DualCLIPLoader',
  'TripleCLIPLoader',
  'QuadrupleCLIPLoader',
  'CLIPVisionLoader',
  'VAELoader',
  'LoraLoader',
  'LoraLoaderModelOnly',
  'ControlNetLoader',
  'DiffControlNetLoader',
  'StyleModelLoader',
  'HypernetworkLoader',
  'UpscaleModelLoader',
  'LoadBackgroundRemovalModel',
]);

/**
 * Whether it is known where a node looks for its models. One that others have written may take the same input from
 * elsewhere, as city96/ComfyUI-GGUF takes `unet_name` from `unet_gguf`.
 */
export const isBuiltInLoader = ({ class_type }: GraphNode): boolean => BUILT_IN.has(class_type);

/** The inputs of a node that name models: input → folder. */
export function modelInputs(node: GraphNode): [input: string, folder: string][] {
  const own = Object.hasOwn(FOLDERS_BY_NODE, node.class_type) ? FOLDERS_BY_NODE[node.class_type] : undefined;
  const folders = own ?? FOLDERS;
  return Object.keys(node.inputs).flatMap((input) => {
    const folder = Object.hasOwn(folders, input) ? folders[input] : undefined;
    return folder === undefined ? [] : [[input, folder]];
  });
}
