import type { Graph, GraphNode } from '@darkroom/image-api';
import { mayShowPicture } from './core-classes.ts';
import { placeholdersIn } from './fill-graph.ts';
import { findSecret, type SecretLocation } from './find-secret.ts';
import { type TextPosition, whereJsonBreaks } from './json-position.ts';
import { GRAPH_BOUNDS, type NamedGraph } from './named-graph.ts';

/**
 * Why a file is no graph that can be sent:
 * - `no-text` its bytes are no text
 * - `broken` it is no JSON from there on
 * - `editor` what the editor saves, which is for the editor only
 * - `no-graph` JSON of something else
 * - `too-large` more nodes, values or JSON than is taken
 * - `secret` something in it looks like a key or a password
 * - `no-output` no picture comes out of it
 *
 * Or why one is not sent:
 * - `filled-too-large` with the words filled in it is longer than is taken
 * - `slow` it took too long to read
 * - `busy` too much waits to be read
 */
export type GraphProblem =
  | { kind: 'no-text' | 'editor' | 'no-graph' | 'too-large' | 'no-output' }
  | { kind: 'filled-too-large' | 'slow' | 'busy' }
  | { kind: 'broken'; at: TextPosition }
  | { kind: 'secret'; place: SecretLocation };

type ParsedGraph = Pick<NamedGraph, 'nodes' | 'uses'>;

/** Reads the file of a graph in ComfyUI's API format. Never throws. */
export function parseGraph(bytes: Uint8Array): { graph: ParsedGraph } | { problem: GraphProblem } {
  const text = decode(bytes);
  if (text === undefined) return { problem: { kind: 'no-text' } };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: { kind: 'broken', at: whereJsonBreaks(text) ?? { line: 1, column: 1 } } };
  }
  return readGraph(json);
}

function readGraph(json: unknown): { graph: ParsedGraph } | { problem: GraphProblem } {
  if (!isObject(json)) return { problem: { kind: 'no-graph' } };
  if (Array.isArray(json.nodes)) return { problem: { kind: 'editor' } };
  // The body of a request to ComfyUI holds the graph as its prompt.
  const given = isObject(json.prompt) && !isNode(json.prompt) ? json.prompt : json;
  const entries = Object.entries(given);
  if (entries.length > GRAPH_BOUNDS.nodes) return { problem: { kind: 'too-large' } };
  const nodes: Graph = {};
  let values = 0;
  for (const [id, node] of entries) {
    if (id === '__proto__' || !isNode(node)) return { problem: { kind: 'no-graph' } };
    const read = countValues(node.inputs, GRAPH_BOUNDS.values - values);
    if (read === undefined) return { problem: { kind: 'no-graph' } };
    values += read;
    if (values > GRAPH_BOUNDS.values) return { problem: { kind: 'too-large' } };
    const { title } = isObject(node._meta) ? node._meta : {};
    nodes[id] = {
      class_type: node.class_type,
      inputs: node.inputs,
      ...(typeof title === 'string' && { _meta: { title } }),
    };
  }
  if (entries.length === 0) return { problem: { kind: 'no-graph' } };
  if (JSON.stringify(nodes).length > GRAPH_BOUNDS.characters) {
    return { problem: { kind: 'too-large' } };
  }
  const place = findSecret(nodes);
  if (place) return { problem: { kind: 'secret', place } };
  if (!mayShowPicture(nodes)) return { problem: { kind: 'no-output' } };
  return { graph: { nodes, uses: placeholdersIn(nodes) } };
}

/** UTF-8, with or without the mark that some editors write before it. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNode = (value: unknown): value is GraphNode =>
  isObject(value) &&
  typeof value.class_type === 'string' &&
  value.class_type !== '' &&
  isObject(value.inputs);

/**
 * How many values, lists and objects there are, counted as far as `most`. Undefined where they are nested deeper than
 * is read, or one has a key that means something else.
 */
function countValues(inputs: object, most: number): number | undefined {
  const left: { value: unknown; depth: number }[] = [{ value: inputs, depth: 0 }];
  let count = 0;
  for (let next = left.pop(); next && count <= most; next = left.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > GRAPH_BOUNDS.depth || Object.hasOwn(value, '__proto__')) return undefined;
    const inner = Object.values(value);
    count += inner.length;
    if (count <= most) for (const item of inner) left.push({ value: item, depth: depth + 1 });
  }
  return count;
}
