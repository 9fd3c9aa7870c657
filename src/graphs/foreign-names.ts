import type { Graph } from '@darkroom/image-api';
import { isCoreClass } from './core-classes.ts';

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
