import type { Graph } from '@darkroom/image-api';
import { isCoreClass } from './core-classes.ts';
import { GRAPH_BOUNDS } from './named-graph.ts';

/** A value in a graph, neither list nor object. */
interface GraphValue {
  /** Of its node. */
  id: string;
  /** The input that it is in. */
  input: string;
  /** What it is called where it stands: the input, or a key within it. */
  key: string;
  value: unknown;
}

/** Every value in the inputs of a graph but links. What is nested too deeply is passed over. */
export function* valuesIn(nodes: Graph): Generator<GraphValue> {
  for (const [id, { inputs }] of Object.entries(nodes)) {
    for (const [input, given] of Object.entries(inputs)) {
      const left = [{ key: input, value: given, depth: 0 }];
      for (let next = left.pop(); next; next = left.pop()) {
        const { key, value, depth } = next;
        if (typeof value !== 'object' || value === null) yield { id, input, key, value };
        else if (depth < GRAPH_BOUNDS.depth && !isLinkIn(nodes, value)) {
          const inner: [string, unknown][] = Array.isArray(value)
            ? value.map((item) => [key, item])
            : Object.entries(value);
          left.push(...inner.map(([name, item]) => ({ key: name, value: item, depth: depth + 1 })));
        }
      }
    }
  }
}

/** Whether an input is a link to another node: `[node id, output index]`. */
export const isLinkIn = (nodes: Graph, value: unknown): value is [string, number] =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'number' &&
  Object.hasOwn(nodes, value[0]);

/**
 * What somebody may have named in a graph: inputs of nodes that ComfyUI does not bring with it, keys within inputs,
 * and ids of nodes that are words. The inputs of its own nodes have the names that it gives them, whatever they are
 * blocked for.
 */
export function* foreignNames(nodes: Graph): Generator<string> {
  for (const [id, { class_type, inputs }] of Object.entries(nodes)) {
    if (/[^\d:]/.test(id)) yield id;
    if (!isCoreClass(class_type)) yield* Object.keys(inputs);
    const left = Object.values(inputs);
    while (left.length > 0) {
      const next = left.pop();
      if (typeof next !== 'object' || next === null) continue;
      if (!Array.isArray(next)) yield* Object.keys(next);
      for (const inner of Object.values(next)) left.push(inner);
    }
  }
}
