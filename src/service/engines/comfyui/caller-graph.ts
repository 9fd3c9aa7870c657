import type { Graph, GraphNode } from '../../../contract/graph.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { GRAPH_LIMITS, SIZE_IS_HINT, stepsOf } from '../work.ts';
import { excerpt } from './excerpt.ts';
import { filePrefix } from './graphs/save.ts';
import { type ModelNeed, modelInputs } from './models.ts';
import { nodeName } from './node-errors.ts';

export interface GraphRules {
  /** Node classes that may be used. */
  allowedNodes: ReadonlySet<string>;
  /** Models that may be used; undefined: every one that the server has. */
  allowedModels: ReadonlySet<string> | undefined;
}

/** Of all samplers together. */
const MAX_STEPS = 4 * LIMITS.steps.max;
/** Bounds of inputs that say how much work there is, whatever node they belong to. */
const MAXIMA: Readonly<Record<string, number>> = {
  width: LIMITS.width.max,
  height: LIMITS.height.max,
  steps: LIMITS.steps.max,
  batch_size: GRAPH_LIMITS.batch,
  megapixels: GRAPH_LIMITS.megapixels,
  expand: 256,
};

/** Each of these can double what a sampler has to look at in every step. */
const JOINS = /^Conditioning(Combine|Concat)$/;
const MAX_JOINS = 6;
/** ComfyUI works out steps ÷ denoise sigmas, however small that is, and none where it is 0. */
const MIN_DENOISE = 0.01;

/** Why a caller's graph is not run: the first reason in one sentence; undefined where there is none. Never throws. */
export function objectionTo(graph: Graph, { allowedNodes, allowedModels }: GraphRules): string | undefined {
  const nodes = Object.entries(graph);
  for (const [id, node] of nodes) {
    if (!allowedNodes.has(node.class_type)) {
      return `${nodeName(graph, id)} is of a class that may not be used here.`;
    }
    const objection = objectionToInputs(graph, node) ?? objectionToModels(node, allowedModels);
    if (objection !== undefined) return `${nodeName(graph, id)}: ${objection}.`;
  }
  const steps = stepsOf(graph);
  if (steps > MAX_STEPS)
    return `A graph may sample at most ${MAX_STEPS} steps in all; this one samples ${steps}.`;
  const joins = nodes.filter(([, { class_type }]) => JOINS.test(class_type)).length;
  if (joins > MAX_JOINS)
    return `A graph may join conditionings at most ${MAX_JOINS} times; this one joins them ${joins} times.`;
  if (!nodes.some(([, { class_type }]) => /^(Save|Preview)/.test(class_type)))
    return 'The graph saves no picture: it needs a SaveImage node.';
  return undefined;
}

function objectionToInputs(graph: Graph, { class_type, inputs }: GraphNode): string | undefined {
  const bounded = SIZE_IS_HINT.test(class_type) ? {} : MAXIMA;
  for (const [name, value] of Object.entries(inputs)) {
    const input = excerpt(name, 80);
    if (Array.isArray(value)) {
      const [source, output] = value;
      const linked = typeof source === 'string' && Object.hasOwn(graph, source);
      if (value.length !== 2 || !linked || !Number.isInteger(output) || output < 0)
        return `${input} is linked to a node that is not in the graph`;
    }
    const max = Object.hasOwn(bounded, name) ? bounded[name] : undefined;
    // A link would hide the number.
    if (max !== undefined && !(typeof value === 'number' && value > 0 && value <= max))
      return `${input} must be a number above 0 and at most ${max}`;
    if (name === 'denoise' && !(typeof value === 'number' && (value === 0 || value >= MIN_DENOISE)))
      return `${input} must be 0 or a number of at least ${MIN_DENOISE}`;
  }
  return undefined;
}

function objectionToModels(node: GraphNode, allowed: GraphRules['allowedModels']): string | undefined {
  for (const [input] of modelInputs(node)) {
    const name = node.inputs[input];
    if (typeof name !== 'string') return `${input} must be the name of a model`;
    if (allowed && !allowed.has(name)) return `the model ${excerpt(name, 100)} may not be used here`;
  }
  return undefined;
}

/** The models that a graph names. */
export function modelsOf(graph: Graph): ModelNeed[] {
  return Object.values(graph).flatMap((node) =>
    modelInputs(node).flatMap(([input, folder]) => {
      const name = node.inputs[input];
      return typeof name === 'string' ? [{ folder, name, exact: true }] : [];
    }),
  );
}

/**
 * The graph as it is handed to a server: nothing in it but nodes, and files saved under the task's own name, so that
 * no picture is found under a name that a caller chose.
 */
export function prepared(graph: Graph, taskId: string): Graph {
  const nodes = Object.entries(graph).map(([id, { class_type, inputs, _meta }]): [string, GraphNode] => [
    id,
    {
      class_type,
      inputs: 'filename_prefix' in inputs ? { ...inputs, filename_prefix: filePrefix(taskId) } : inputs,
      ...(_meta?.title !== undefined && { _meta: { title: _meta.title } }),
    },
  ]);
  return Object.fromEntries(nodes);
}
