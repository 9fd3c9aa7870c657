import type { Graph, GraphNode } from '../../contract/graph.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Drawing } from './engine.ts';

/** What a drawing asks of an engine. */
export interface Work {
  /** Of all the pictures that are sampled at once. */
  pixels: number;
  /** Of all samplers together. */
  steps: number;
}

/** Bounds of what a caller's graph may ask for. */
export const GRAPH_LIMITS = { nodes: 200, batch: 4, megapixels: 4 } as const;
/** To these nodes a size is a hint, and no work. */
export const SIZE_IS_HINT = /^(CLIPTextEncode|ModelSampling)/;
/** A megapixel, as `ImageScaleToTotalPixels` counts. */
const MEGAPIXEL = 1024 ** 2;

/**
 * How much a drawing asks for. Of a graph: the steps of all its samplers, and the largest size in it as often as its
 * largest batch holds, each within its bounds; where it says nothing of either, what the drawing says.
 */
export function workOf({ prompt, width, height, steps }: Omit<Drawing, 'taskId'>): Work {
  const said = { pixels: width * height, steps };
  if (typeof prompt === 'string') return said;
  return { pixels: pixelsOf(prompt) || said.pixels, steps: stepsOf(prompt) || said.steps };
}

/** The steps of all samplers of a graph. */
export const stepsOf = (graph: Graph): number =>
  Object.values(graph).reduce((sum, node) => sum + stepsOfNode(graph, node), 0);

/** A scheduler makes no steps; it says how many each sampler makes that is linked to it. */
function stepsOfNode(graph: Graph, { class_type, inputs }: GraphNode): number {
  if (/Scheduler$/.test(class_type)) return 0;
  if (inputs.steps === undefined)
    return /Sampler/.test(class_type) ? scheduledSteps(graph, inputs.sigmas) : 0;
  const steps = amount(inputs.steps, LIMITS.steps.max);
  const end = typeof inputs.end_at_step === 'number' ? amount(inputs.end_at_step, steps) : steps;
  return Math.max(0, end - amount(inputs.start_at_step, steps));
}

function scheduledSteps(graph: Graph, sigmas: unknown): number {
  let link = sigmas;
  for (let hop = 0; hop < GRAPH_LIMITS.nodes; hop++) {
    const node = linked(graph, link);
    if (!node) return 0;
    if (node.inputs.steps !== undefined) return amount(node.inputs.steps, LIMITS.steps.max);
    link = node.inputs.sigmas;
  }
  return 0;
}

function pixelsOf(graph: Graph): number {
  let pixels = 0;
  let batch = 1;
  for (const { class_type, inputs } of Object.values(graph)) {
    if (SIZE_IS_HINT.test(class_type)) continue;
    const size = amount(inputs.width, LIMITS.width.max) * amount(inputs.height, LIMITS.height.max);
    pixels = Math.max(pixels, size, amount(inputs.megapixels, GRAPH_LIMITS.megapixels) * MEGAPIXEL);
    batch = Math.max(batch, amount(inputs.batch_size, GRAPH_LIMITS.batch));
  }
  return Math.round(pixels * batch);
}

const amount = (given: unknown, max: number): number =>
  typeof given === 'number' ? Math.min(max, Math.max(0, given)) : 0;

/** The node that a link `[node id, output index]` leads to. */
export function linked(graph: Graph, link: unknown): GraphNode | undefined {
  if (!Array.isArray(link) || link.length !== 2 || typeof link[0] !== 'string') return undefined;
  return Object.hasOwn(graph, link[0]) ? graph[link[0]] : undefined;
}
