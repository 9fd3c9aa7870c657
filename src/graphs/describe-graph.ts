import type { Graph } from '@darkroom/image-api';
import { isCoreClass } from './core-classes.ts';
import { valuesIn } from './graph-values.ts';

export type GraphDescription = ReturnType<typeof describeGraph>;

const MODEL_INPUT =
  /^(?:ckpt|checkpoint|lora|vae|unet|clip|control_?net|style_model|gligen|hypernetwork|upscale_?model|model)_?name_?\d*$/i;
const MODEL_FILE = /\.(?:safetensors|sft|ckpt|gguf|pth?|bin|onnx)$/i;

/** What a graph consists of. */
export function describeGraph(nodes: Graph) {
  const counts = new Map<string, number>();
  for (const { class_type } of Object.values(nodes))
    counts.set(class_type, (counts.get(class_type) ?? 0) + 1);
  const classes = [...counts].sort(([, one], [, other]) => other - one);
  return {
    nodes: Object.keys(nodes).length,
    /** Each with how many nodes there are of it; most frequent first. */
    classes,
    /** Those of them that ComfyUI does not bring with it, as far as is known here. */
    unknown: classes.filter(([name]) => !isCoreClass(name)),
    /** The files of checkpoints, LoRAs, VAEs and so on that it names. */
    models: modelsIn(nodes),
  };
}

function modelsIn(nodes: Graph): string[] {
  const models = new Set<string>();
  for (const { input, key, value } of valuesIn(nodes)) {
    if (typeof value !== 'string' || value === '' || /^none$/i.test(value)) continue;
    if (MODEL_FILE.test(value) || MODEL_INPUT.test(input) || MODEL_INPUT.test(key)) models.add(value);
  }
  return [...models];
}
