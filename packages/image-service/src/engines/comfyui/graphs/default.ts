import type { PromptedDrawing } from '../../engine.ts';
import { checkpointGraph, type SampledGraph } from './checkpoint.ts';
import { saveNode } from './nodes.ts';
import { sampledSize } from './size.ts';

/** Stable Diffusion 1.5, as in ComfyUI's own example. */
export function defaultGraph(drawing: PromptedDrawing, checkpoint: string): SampledGraph {
  const { prompt, negativePrompt, seed, steps, cfg } = drawing;
  return {
    ...checkpointGraph({
      checkpoint,
      positive: prompt,
      negative: negativePrompt,
      ...sampledSize(drawing),
      seed,
      steps,
      cfg,
      sampler: 'euler',
    }),
    save: saveNode('decode'),
  };
}
