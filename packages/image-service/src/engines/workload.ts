import type { Graph, GraphNode } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api';
import type { DrawingParameters } from './engine.ts';

/** How much a drawing has an engine do. */
export interface Workload {
  /** Of all pictures of a batch together. */
  pixels: number;
  /** Of all samplers together. */
  steps: number;
}

/** Bounds of what a caller's graph may ask for. */
export const GRAPH_LIMITS = { nodes: 200, batch: 4, megapixels: 4 } as const;
/** To these nodes a size is a hint and costs nothing. */
export const SIZE_IS_HINT = /^(CLIPTextEncode|ModelSampling)/;
/** A megapixel, as `ImageScaleToTotalPixels` counts. */
const MEGAPIXEL = 1024 ** 2;

/**
 * The workload of a drawing. Of a graph: the steps of all its samplers, and its largest size times its largest batch, each
 * within its limits. Where the graph does not say, what the drawing says.
 */
export function workloadOf({ prompt, width, height, steps }: DrawingParameters): Workload {
  const given = { pixels: width * height, steps };
  if (typeof prompt === 'string') return given;
  return { pixels: pixelsOf(prompt) || given.pixels, steps: stepsOf(prompt) || given.steps };
}

/** The steps of all samplers of a graph. */
export const stepsOf = (graph: Graph): number =>
  Object.values(graph).reduce((sum, node) => sum + stepsOfNode(graph, node), 0);

/** A scheduler takes no steps itself: it says how many each sampler takes that is linked to it. */
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
    const node = linkedNode(graph, link);
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
export function linkedNode(graph: Graph, link: unknown): GraphNode | undefined {
  if (!Array.isArray(link) || link.length !== 2 || typeof link[0] !== 'string') return undefined;
  return Object.hasOwn(graph, link[0]) ? graph[link[0]] : undefined;
}
