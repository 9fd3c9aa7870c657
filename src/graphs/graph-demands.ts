import { type Graph, LIMITS } from '@darkroom/image-api';
import { isLinkIn } from './graph-values.ts';

/** How large and how fine a graph, filled in, draws. */
export interface GraphDemands {
  /** Pixels of the largest picture that a node states. */
  area: number;
  /** Of the sampler that takes most. */
  steps: number;
  /** An input that decides one of both, and whose number comes from where it cannot be read. */
  unread: string | undefined;
}

/** To these nodes a size is a hint: they make no picture. */
const SIZE_IS_HINT = /^(?:CLIPTextEncode|ModelSampling)/;
const MEGAPIXEL = 1024 ** 2;

/** What a server's bounds are held against. Numbers are read where they stand, and one link further. */
export function demandsOf(nodes: Graph): GraphDemands {
  const demands: GraphDemands = { area: 0, steps: 0, unread: undefined };

  function read(value: unknown, input: string): number {
    const found = isLinkIn(nodes, value) ? nodes[value[0]]?.inputs : undefined;
    const number = found ? (found.value ?? found.int ?? found.number ?? found[input]) : value;
    if (typeof number === 'number') return number;
    if (value !== undefined) demands.unread ??= input;
    return 0;
  }

  for (const { class_type, inputs } of Object.values(nodes)) {
    demands.steps = Math.max(demands.steps, read(inputs.steps, 'steps'));
    if (SIZE_IS_HINT.test(class_type)) continue;
    const { width, height, megapixels } = inputs;
    const sides =
      width === undefined && height === undefined
        ? 0
        : read(width ?? LIMITS.width.default, 'width') * read(height ?? LIMITS.height.default, 'height');
    demands.area = Math.max(demands.area, sides, read(megapixels, 'megapixels') * MEGAPIXEL);
  }
  return demands;
}
