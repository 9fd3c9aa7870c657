import type { Graph, GraphNode } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/contract';
import { GRAPH_LIMITS, linkedNode, pixelsOf, REPEATS } from '../graph-pixels.ts';
import type { RequiredModel } from '../servers/required-model.ts';
import { sanitize } from '../servers/sanitize.ts';
import { stepsOf } from '../workload.ts';
import { nodeName } from './explain.ts';
import { isBuiltInLoader, modelInputs } from './models.ts';

export interface GraphRules {
  allowedNodes: ReadonlySet<string>;
  /** Models that may be used; undefined: every one that the server has. */
  allowedModels: ReadonlySet<string> | undefined;
}

/** Of all samplers together. */
const MAX_STEPS = 4 * LIMITS.steps.max;
/**
 * Of what all nodes put out, in all pictures of their batches. ComfyUI keeps it until the graph has run, 12 bytes for
 * a pixel of a picture: 3 GB. Four pictures of the largest size through a dozen nodes are 200 million.
 */
const MAX_PIXELS = 256_000_000;
/** Limits of the inputs that decide how much work there is, in whatever node they are. */
const MAXIMA: Readonly<Record<string, number>> = {
  width: LIMITS.width.max,
  height: LIMITS.height.max,
  steps: LIMITS.steps.max,
  batch_size: GRAPH_LIMITS.batch,
  megapixels: GRAPH_LIMITS.megapixels,
  expand: 256,
};

/** To these a size is a hint, or a part of one. */
const MAY_SAY_ANY_SIZE = /^(CLIPTextEncode|ConditioningSetAreaPercentage$|ModelSampling)/;

/**
 * What is asked for at the least: ComfyUI cuts 0.4 to 0 before it compares, and takes a side of 0 as one that follows
 * the other (`validate_inputs` in its `execution.py`, `LatentUpscale` in `nodes.py`). Megapixels are not cut.
 */
const minimumOf = (input: string): number => (input === 'megapixels' ? 0.01 : 1);

/** Each of these can double the work of every step. */
const JOINS = /^Conditioning(Combine|Concat)$/;
const MAX_JOINS = 6;
/** ComfyUI computes steps ÷ denoise sigmas, however many that are; none where denoise is 0. */
const MIN_DENOISE = 0.01;

/** Why a caller's graph is not run: the first reason, in one sentence; undefined where it may run. Never throws. */
export function graphRejection(
  graph: Graph,
  { allowedNodes, allowedModels }: GraphRules,
): string | undefined {
  const nodes = Object.entries(graph);
  for (const [id, node] of nodes) {
    if (!allowedNodes.has(node.class_type)) {
      return `${nodeName(graph, id)} is of a class that may not be used here.`;
    }
    const rejection = inputsRejection(graph, node) ?? modelsRejection(node, allowedModels);
    if (rejection !== undefined) return `${nodeName(graph, id)}: ${rejection}.`;
  }
  const steps = stepsOf(graph);
  if (steps > MAX_STEPS)
    return `A graph may sample at most ${MAX_STEPS} steps in all; this one samples ${steps}.`;
  const { kept } = pixelsOf(graph);
  if (kept > MAX_PIXELS)
    return `A graph may make at most ${millions(MAX_PIXELS)} million pixels in all nodes and batches together; this one makes ${millions(kept)} million.`;
  const joins = nodes.filter(([, { class_type }]) => JOINS.test(class_type)).length;
  if (joins > MAX_JOINS)
    return `A graph may join conditionings at most ${MAX_JOINS} times; this one joins them ${joins} times.`;
  if (!nodes.some(([, { class_type }]) => /^(Save|Preview)/.test(class_type)))
    return 'The graph saves no picture: it needs a SaveImage node.';
  return undefined;
}

const millions = (pixels: number): number => Math.round(pixels / 1_000_000);

function inputsRejection(graph: Graph, { class_type, inputs }: GraphNode): string | undefined {
  const bounded = maximaOf(class_type);
  for (const [name, value] of Object.entries(inputs)) {
    const input = sanitize(name, 80);
    if (Array.isArray(value)) {
      const [source, output] = value;
      const linked = typeof source === 'string' && Object.hasOwn(graph, source);
      if (value.length !== 2 || !linked || !Number.isInteger(output) || output < 0)
        return `${input} is linked to a node that is not in the graph`;
    }
    const max = Object.hasOwn(bounded, name) ? bounded[name] : undefined;
    // No links: they would hide the number.
    const min = minimumOf(name);
    if (max !== undefined && !(typeof value === 'number' && value >= min && value <= max))
      return `${input} must be a number of at least ${min} and at most ${max}`;
    if (name === 'denoise' && !(typeof value === 'number' && (value === 0 || value >= MIN_DENOISE)))
      return `${input} must be 0 or a number of at least ${MIN_DENOISE}`;
  }
  return undefined;
}

function maximaOf(className: string): Readonly<Record<string, number>> {
  if (MAY_SAY_ANY_SIZE.test(className)) return {};
  return REPEATS.test(className) ? { ...MAXIMA, amount: GRAPH_LIMITS.batch } : MAXIMA;
}

function modelsRejection(node: GraphNode, allowed: GraphRules['allowedModels']): string | undefined {
  for (const [input] of modelInputs(node)) {
    const name = node.inputs[input];
    if (typeof name !== 'string') return `${input} must be the name of a model`;
    if (allowed && !allowed.has(name)) return `the model ${sanitize(name, 100)} may not be used here`;
  }
  return undefined;
}

/** The models that a graph names, each once; those of foreign nodes are left to ComfyUI's own judgement. */
export function requiredModels(graph: Graph): RequiredModel[] {
  const required = new Map<string, RequiredModel>();
  for (const node of Object.values(graph).filter(isBuiltInLoader)) {
    for (const [input, folder] of modelInputs(node)) {
      const name = node.inputs[input];
      if (typeof name === 'string') required.set(`${folder}/${name}`, { folder, name, exact: true });
    }
  }
  return [...required.values()];
}

/**
 * The graph as it is sent to a server: nothing but nodes, with pictures put out where ours are, see `saveNode`. What
 * is only looked at on the way is left out where something is saved: the first picture counts.
 */
export function prepareGraph(graph: Graph): Graph {
  const saves = Object.values(graph).some(({ class_type }) => class_type === 'SaveImage');
  const isLeftOut = ({ class_type }: GraphNode): boolean => saves && class_type === 'PreviewImage';

  /** Since v0.26.0 what shows pictures hands them on: what it is handed itself, where it is left out. */
  function sourceOf(input: unknown): unknown {
    let source = input;
    for (let hop = 0; hop < GRAPH_LIMITS.nodes; hop++) {
      const node = linkedNode(graph, source)?.node;
      if (!node || !isLeftOut(node)) return source;
      source = node.inputs.images;
    }
    return source;
  }

  return Object.fromEntries(
    Object.entries(graph)
      .filter(([, node]) => !isLeftOut(node))
      .map(([id, { class_type, inputs, _meta }]): [string, GraphNode] => [
        id,
        {
          class_type: class_type === 'SaveImage' ? 'PreviewImage' : class_type,
          inputs: Object.fromEntries(
            Object.entries(inputs)
              .filter(([name]) => name !== 'filename_prefix')
              .map(([name, input]) => [name, sourceOf(input)]),
          ),
          ...(_meta?.title !== undefined && { _meta: { title: _meta.title } }),
        },
      ]),
  );
}
