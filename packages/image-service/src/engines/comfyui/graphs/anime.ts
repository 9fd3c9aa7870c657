import type { PromptedDrawing } from '../../engine.ts';
import { checkpointGraph, type SampledGraph } from './checkpoint.ts';
import { saveNode, scaleNode } from './nodes.ts';
import { sampledAt, sampledSize } from './size.ts';

/** SDXL was trained on pictures of about a megapixel, and draws badly far below. */
const TRAINED_PIXELS = 1024 ** 2;
const MIN_PIXELS = 0.75 * TRAINED_PIXELS;

/** An SDXL model for anime. A small picture is sampled at a megapixel and scaled down to what was asked for. */
export function animeGraph(drawing: PromptedDrawing, checkpoint: string): SampledGraph {
  const { prompt, negativePrompt, seed, steps, cfg } = drawing;
  const size = sampledSize(drawing);
  const small = size.width * size.height < MIN_PIXELS;
  const sampled = checkpointGraph({
    checkpoint,
    positive: prompt,
    negative: negativePrompt,
    ...(small ? sampledAt(TRAINED_PIXELS, size) : size),
    seed,
    steps,
    cfg,
    sampler: 'euler_ancestral',
  });
  if (!small) return { ...sampled, save: saveNode('decode') };
  return {
    ...sampled,
    scale: scaleNode('decode', size),
    save: saveNode('scale'),
  };
}
