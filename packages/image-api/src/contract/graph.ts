import { z } from 'zod';

/** One node of a graph in ComfyUI's API format. An input is a value, or a link `[node id, output index]`. */
const graphNode = z.looseObject({
  class_type: z.string().min(1),
  inputs: z.record(z.string(), z.unknown()),
  _meta: z.looseObject({ title: z.string().optional() }).optional(),
});

/** A complete node graph: node id → node. The object form of `prompt`. */
export const graph = z
  .record(z.string(), graphNode)
  .refine((nodes) => Object.keys(nodes).length > 0, 'a graph needs at least one node')
  .meta({ id: 'Graph', minProperties: 1 });

export type GraphNode = z.infer<typeof graphNode>;
export type Graph = z.infer<typeof graph>;
