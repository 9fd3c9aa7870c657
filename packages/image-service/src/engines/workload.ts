import type { Graph, GraphNode, TaskOperation } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/contract';
import type { DrawingParameters } from './engine.ts';
import { amount, GRAPH_LIMITS, linkedNode, pixelsOf } from './graph-pixels.ts';

/** How much a drawing has an engine do. */
export interface Workload {
  operation: TaskOperation;
  /** How many pictures it counts as: as many of the largest size as it has pixels, begun ones included. */
  pictures: number;
  /** Of all nodes that make something of a size or repeat a batch, in all pictures of it. */
  pixels: number;
  /** Of all samplers together. */
  steps: number;
}

const LARGEST_PICTURE = LIMITS.width.max * LIMITS.height.max;

/**
 * The workload of a drawing. Of a graph: the pixels of all its nodes and batches and the steps of all its samplers,
 * each number within its limits. Where the graph does not say, what the drawing says.
 */
export function workloadOf({ prompt, width, height, steps, source }: DrawingParameters): Workload {
  const operation: TaskOperation = source?.operation ?? 'generate';
  const given = { operation, pictures: 1, pixels: width * height, steps };
  if (typeof prompt === 'string') return given;
  const pixels = pixelsOf(prompt).drawn || given.pixels;
  return {
    operation,
    pictures: Math.ceil(pixels / LARGEST_PICTURE),
    pixels,
    steps: stepsOf(prompt) || given.steps,
  };
}

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
    const source = linkedNode(graph, link);
    if (!source) return 0;
    const { inputs } = source.node;
    if (inputs.steps !== undefined) return amount(inputs.steps, LIMITS.steps.max);
    link = inputs.sigmas;
  }
  return 0;
}
