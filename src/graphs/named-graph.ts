import { graph } from '@darkroom/image-api/contract';
import { z } from 'zod';

/** What a request fills in: `%prompt%` and so on, anywhere in the inputs of a graph. */
export const PLACEHOLDERS = ['prompt', 'negative_prompt', 'seed', 'width', 'height'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The most that is taken of a graph. The image service of this repository runs graphs of 200 nodes. */
export const GRAPH_BOUNDS = {
  /** Of the file, in bytes: one of the editor is larger than one for the API. */
  file: 1024 ** 2,
  /** Of the graph as it is kept, in characters of JSON: it stands in the row of each of its jobs. */
  characters: 128 * 1024,
  /** Likewise, with the words filled in: the image service takes 1 MB. */
  filled: 512 * 1024,
  nodes: 1_000,
  /** Values, lists and objects in all inputs. */
  values: 8_000,
  /** Lists and objects within each other, in an input. */
  depth: 16,
  name: 60,
} as const;

/** A graph in ComfyUI's API format as it was given, and what it is called: its file, or the name it is kept under. */
export const namedGraph = z.object({
  name: z.string().min(1).max(GRAPH_BOUNDS.name),
  nodes: graph,
  uses: z.array(z.enum(PLACEHOLDERS)),
  /** Its member has attached it, for this request or for one that it repeats. */
  attached: z.literal(true).optional(),
});
export type NamedGraph = z.output<typeof namedGraph>;
