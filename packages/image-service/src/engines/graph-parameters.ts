import type { Graph, GraphNode } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/contract';
import { canonicalJson } from '../canonical-json.ts';
import { linkedNode } from './graph-pixels.ts';

/** The parameters of a picture, as far as its graph says them. */
export interface GraphParameters {
  /** The graph as JSON, where it has no text. */
  prompt: string;
  negativePrompt?: string;
  /** Pixels. */
  width?: number;
  height?: number;
  steps?: number;
  seed?: number;
  cfg?: number;
}

/** How many links are followed from one input: a graph may hold a cycle. */
const MAX_LINKS = 32;
/** Inputs through which a conditioning or a latent comes from further up. */
const UPSTREAM = [
  'conditioning',
  'positive',
  'conditioning_1',
  'conditioning_to',
  'samples',
  'pixels',
  'model',
  'latent_image',
  'sigmas',
  'string',
  'value',
];

/**
 * Reads the sampler of a graph and what is linked to it; clamps each value to the limits of a submission. Never
 * throws.
 */
export function readGraphParameters(graph: Graph): GraphParameters {
  const nodes = Object.values(graph);
  const given = sampling(nodes);
  const negative = textOf(graph, given.negative);
  const scheduler = nodeBehind(graph, given.sigmas, ({ inputs }) => 'steps' in inputs);
  const size =
    nodeBehind(graph, given.latent_image, hasSize) ??
    nodes.find((node) => isEmptyLatent(node) && hasSize(node));
  return {
    prompt: textOfGraph(graph) ?? canonicalJson(graph),
    ...(negative !== undefined && { negativePrompt: negative }),
    ...seedOf(graph, [given, ...nodes.map(({ inputs }) => inputs)]),
    ...bounded('steps', value(graph, given.steps ?? scheduler?.inputs.steps), LIMITS.steps),
    ...bounded('cfg', value(graph, given.cfg), { ...LIMITS.cfg, whole: false }),
    ...(size && bounded('width', value(graph, size.inputs.width), LIMITS.width)),
    ...(size && bounded('height', value(graph, size.inputs.height), LIMITS.height)),
  };
}

/** The words of a graph, where it has some. Never throws. */
export function textOfGraph(graph: Graph): string | undefined {
  const nodes = Object.values(graph);
  return textOf(graph, sampling(nodes).positive) ?? anyText(nodes);
}

function sampling(nodes: readonly GraphNode[]): Record<string, unknown> {
  const sampler =
    nodes.find((node) => /sampler/i.test(node.class_type) && 'latent_image' in node.inputs) ??
    nodes.find((node) => /sampler/i.test(node.class_type));
  return sampler?.inputs ?? {};
}

/** Two searches, as one expression for both words would backtrack: quadratic in the length of the name. */
function isEmptyLatent({ class_type }: GraphNode): boolean {
  const name = class_type.toLowerCase();
  return name.includes('empty') && name.includes('latent');
}

const hasSize = ({ inputs }: GraphNode): boolean => 'width' in inputs && 'height' in inputs;

function nodeBehind(
  graph: Graph,
  link: unknown,
  wanted: (node: GraphNode) => boolean,
): GraphNode | undefined {
  let next = link;
  for (let hop = 0; hop < MAX_LINKS; hop++) {
    const node = linkedNode(graph, next)?.node;
    if (!node) return undefined;
    if (wanted(node)) return node;
    const { inputs } = node;
    next = UPSTREAM.map((name) => inputs[name]).find(Array.isArray);
  }
  return undefined;
}

function textOf(graph: Graph, link: unknown): string | undefined {
  const node = nodeBehind(graph, link, (candidate) => ownText(graph, candidate) !== undefined);
  return node && ownText(graph, node);
}

function ownText(graph: Graph, { inputs }: GraphNode): string | undefined {
  const text = value(graph, inputs.text ?? inputs.text_g ?? inputs.prompt ?? inputs.t5xxl);
  return typeof text === 'string' ? text : undefined;
}

const anyText = (nodes: readonly GraphNode[]): string | undefined =>
  nodes.map(({ inputs }) => inputs.text).find((text) => typeof text === 'string');

/** An input's value, through a primitive node where it is linked to one. */
function value(graph: Graph, input: unknown): unknown {
  const node = linkedNode(graph, input)?.node;
  if (!node) return input;
  const { inputs } = node;
  return inputs.value ?? inputs.string ?? inputs.text ?? inputs.seed ?? inputs.int ?? inputs.float;
}

/** The first seed that can be read. Beyond 2^53 JSON does not carry the seed that was meant. */
function seedOf(graph: Graph, all: readonly Record<string, unknown>[]): { seed?: number } {
  const seed = all
    .flatMap((given) => [value(graph, given.seed), value(graph, given.noise_seed)])
    .find((found) => typeof found === 'number' && Number.isSafeInteger(found) && found >= 0);
  return typeof seed === 'number' ? { seed } : {};
}

/** A number within its bounds, whole unless told otherwise; nothing where there is none. */
function bounded<Name extends keyof GraphParameters>(
  name: Name,
  found: unknown,
  { min, max, whole = true }: { min: number; max: number; whole?: boolean },
): Partial<Record<Name, number>> {
  if (typeof found !== 'number' || !Number.isFinite(found)) return {};
  const record: Partial<Record<Name, number>> = {};
  record[name] = Math.min(max, Math.max(min, whole ? Math.round(found) : found));
  return record;
}
