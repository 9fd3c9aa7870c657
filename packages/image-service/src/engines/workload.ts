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

const SCHEDULER = /Scheduler$/;

/**
 * A scheduler takes no steps itself: it says how many each sampler takes that is linked to it. ComfyUI ignores inputs
 * that a class does not have, so that of several numbers the largest counts.
 */
function stepsOfNode(graph: Graph, node: GraphNode): number {
  if (SCHEDULER.test(node.class_type)) return 0;
  const scheduled = /Sampler/.test(node.class_type) ? scheduledSteps(graph, node.inputs.sigmas) : 0;
  return Math.max(ownSteps(node), scheduled);
}

/** Of all its steps `KSamplerAdvanced` takes a part. */
function ownSteps({ class_type, inputs }: GraphNode): number {
  const steps = amount(inputs.steps, LIMITS.steps.max);
  if (class_type !== 'KSamplerAdvanced') return steps;
  const end = typeof inputs.end_at_step === 'number' ? amount(inputs.end_at_step, steps) : steps;
  return Math.max(0, end - amount(inputs.start_at_step, steps));
}

/** The sigmas of a sampler come from a scheduler, through nodes that change them. */
function scheduledSteps(graph: Graph, sigmas: unknown): number {
  let most = 0;
  let link = sigmas;
  for (let hop = 0; hop < GRAPH_LIMITS.nodes; hop++) {
    const source = linkedNode(graph, link);
    if (!source) return most;
    const { class_type, inputs } = source.node;
    most = Math.max(most, amount(inputs.steps, LIMITS.steps.max));
    if (SCHEDULER.test(class_type)) return most;
    link = inputs.sigmas;
  }
  return most;
}
