import type { Workflow } from '../../../contract/limits.ts';
import type { Drawing } from '../engine.ts';
import { readGraph } from '../graph-reading.ts';

/** All that decides a picture. Plain data: it travels to the worker. */
export interface Order {
  prompt: string;
  negativePrompt: string;
  workflow: Workflow;
  width: number;
  height: number;
  steps: number;
  seed: number;
  cfg: number;
}

/** A drawing as the painters need it: a graph's own values win over the drawing's. */
export function orderOf(drawing: Drawing): Order {
  const { prompt, negativePrompt, workflow, width, height, steps, seed, cfg } = drawing;
  const order = { negativePrompt, workflow, width, height, steps, seed, cfg };
  return typeof prompt === 'string' ? { ...order, prompt } : { ...order, ...readGraph(prompt) };
}
