import type { Graph, GraphNode } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/contract';

/** Bounds of what a single node of a caller's graph may ask for, and how many nodes there may be. */
export const GRAPH_LIMITS = { nodes: 200, batch: 4, megapixels: 4 } as const;
/** These are told a size, or a part of one, and make no picture of it. */
const MAKES_NO_PICTURE = /^(CLIPTextEncode|ConditioningSetArea|ModelSampling|Flux2Scheduler$)/;
/** It puts out what it is handed as often as its `amount` says. */
export const REPEATS = /^Repeat(Latent|Image)Batch$/;
/** These put out the size that they say. ComfyUI may ignore what others say, so that it takes nothing away. */
const SIZED = /^(Empty|(Image|Latent)Crop$|ImageScale(ToTotalPixels)?$|LatentUpscale$|SolidMask$|CropMask$)/;
/** A megapixel, as `ImageScaleToTotalPixels` counts. */
const MEGAPIXEL = 1024 ** 2;

/** What a node puts out: pictures, latents or masks of a size, as many at once as the batch has. */
interface Output {
  /** Of one of them; 0 where a node puts out something else. */
  pixels: number;
  batch: number;
}

interface GraphPixels {
  /** By the nodes that say a size or repeat a batch, each in every picture of it: what there is to draw. */
  drawn: number;
  /** By all nodes: as much as is kept in memory until the graph has run. */
  kept: number;
}

/** Follows sizes and batches along the links of a graph. Never throws. */
export function pixelsOf(graph: Graph): GraphPixels {
  const known = new Map<string, Output>();

  /** A node passes on the largest of what it is linked to, unless it makes more, or another size. */
  function outputOf(id: string, node: GraphNode): Output {
    const found = known.get(id);
    if (found) return found;
    // Until it is known, so that a circle ends.
    known.set(id, { pixels: 0, batch: 1 });
    const sources = Object.values(node.inputs)
      .map((input) => linkedNode(graph, input))
      .filter((source) => source !== undefined)
      .map((source) => outputOf(source.id, source.node));
    const own = ownPixels(node);
    const batch = amount(node.inputs.batch_size, GRAPH_LIMITS.batch);
    const output = {
      pixels:
        own > 0 && SIZED.test(node.class_type) ? own : Math.max(own, ...sources.map(({ pixels }) => pixels)),
      batch: repeatsOf(node) * Math.max(1, batch, ...sources.map((source) => source.batch)),
    };
    known.set(id, output);
    return output;
  }

  let drawn = 0;
  let kept = 0;
  for (const [id, node] of Object.entries(graph)) {
    const { pixels, batch } = outputOf(id, node);
    kept += pixels * batch;
    if (ownPixels(node) > 0 || repeatsOf(node) > 1) drawn += pixels * batch;
  }
  return { drawn: Math.round(drawn), kept: Math.round(kept) };
}

function ownPixels({ class_type, inputs }: GraphNode): number {
  if (MAKES_NO_PICTURE.test(class_type)) return 0;
  const size = amount(inputs.width, LIMITS.width.max) * amount(inputs.height, LIMITS.height.max);
  return Math.max(size, within(inputs.megapixels, GRAPH_LIMITS.megapixels) * MEGAPIXEL);
}

const repeatsOf = ({ class_type, inputs }: GraphNode): number =>
  REPEATS.test(class_type) ? Math.max(1, amount(inputs.amount, GRAPH_LIMITS.batch)) : 1;

/** A whole number within its bounds, to which ComfyUI cuts any other; 0 where there is none. */
export const amount = (given: unknown, max: number): number => Math.trunc(within(given, max));

const within = (given: unknown, max: number): number =>
  typeof given === 'number' ? Math.min(max, Math.max(0, given)) : 0;

/** The node that a link `[node id, output index]` leads to. */
export function linkedNode(graph: Graph, link: unknown): { id: string; node: GraphNode } | undefined {
  if (!Array.isArray(link) || link.length !== 2 || typeof link[0] !== 'string') return undefined;
  const [id] = link;
  const node = Object.hasOwn(graph, id) ? graph[id] : undefined;
  return node && { id, node };
}
