import { graph } from '@darkroom/image-api/contract';
import { z } from 'zod';
import { GRAPH_BOUNDS, PLACEHOLDERS } from './graph-bounds.ts';

/** A graph in ComfyUI's API format as it was given, and what it is called: its file, or the name it is kept under. */
export const namedGraph = z.object({
  name: z.string().min(1).max(GRAPH_BOUNDS.name),
  nodes: graph,
  /** The placeholders in it. */
  uses: z.array(z.enum(PLACEHOLDERS)),
});
export type NamedGraph = z.output<typeof namedGraph>;
