import type { Graph, GraphNode } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/limits';
import { isCoreClass } from './core-classes.ts';
import { isLinkIn } from './graph-values.ts';

/** How much a graph demands of something, and the node that does, by its title or its class. */
interface Demand {
  amount: number;
  node: string;
}

/** How large, how fine and how many a graph, filled in, draws. */
export interface GraphDemands {
  /** Pixels of the largest picture, after whatever makes it larger. */
  area: Demand;
  /** Of the sampler that takes most. */
  steps: Demand;
  /** How many pictures it makes at once. */
  batch: Demand;
  /** Inputs that decide one of these, and whose numbers come from where they cannot be read. */
  unread: { node: string; input: string }[];
}

/** What a node puts out: so many pictures of so many pixels, and where that was decided. */
type Output = Pick<GraphDemands, 'area' | 'batch'>;

const NOTHING: Output = { area: { amount: 0, node: '' }, batch: { amount: 1, node: '' } };

/** What hands a node its pictures, where it has such an input. */
const PICTURES = /^(?:samples|latents?|images?|pixels|masks?|source|destination)(?:_image|_from|_to)?_?\d*$/;
/** How much larger a node makes each side. */
const FACTORS = ['scale_by', 'upscale_by', 'upscale_factor', 'scale_factor', 'rescale_factor'];
/** How many pictures a node makes, and how often it repeats what it is handed. */
const [BATCH, REPEATS] = ['batch_size', 'amount'];
/** The inputs that say how many pictures there are. */
export const BATCH_INPUTS: readonly string[] = [BATCH, REPEATS];
/** ComfyUI cuts their numbers to whole ones before it does anything with them. */
const WHOLE: ReadonlySet<string> = new Set(['width', 'height', 'steps', ...BATCH_INPUTS]);
const REPEATING = /^Repeat/;
/** Classes of ComfyUI that make pictures of a size that they are told: to others it is a hint, or a part of one. */
const SIZED = /^(?:Empty|(?:Image|Latent)Crop$|ImageScale$|LatentUpscale$|SolidMask$|CropMask$)/;
/** Which of ComfyUI's own classes have an input, of those that are read here. The others ignore it. */
const HAVING: Readonly<Record<string, RegExp>> = {
  width: SIZED,
  height: SIZED,
  megapixels: /^ImageScaleToTotalPixels$/,
  scale_by: /^(?:ImageScaleBy|LatentUpscaleBy)$/,
  upscale_model: /^ImageUpscaleWithModel$/,
  steps: /^KSampler|Scheduler$|^ExtendIntermediateSigmas$/,
  [BATCH]: /^Empty/,
  [REPEATS]: REPEATING,
};
/** It puts out the pictures of all its inputs. */
const JOINS = /^(?:ImageBatch|LatentBatch)$/;
const MEGAPIXEL = 1024 ** 2;

/** What a graph asks for, to be held against a server's bounds. Numbers are read in place, and one link further. */
export function demandsOf(nodes: Graph): GraphDemands {
  const demands: GraphDemands = { ...NOTHING, steps: NOTHING.area, unread: [] };
  const known = new Map<string, Output>();

  function read(node: GraphNode, input: string, standard = 0): number {
    const value = givenTo(node, input);
    if (value === undefined) return standard;
    const number = isLinkIn(nodes, value) ? handedOn(nodes[value[0]], input) : value;
    if (typeof number === 'number') return WHOLE.has(input) ? Math.trunc(number) : number;
    demands.unread.push({ node: nameOf(node), input });
    return standard;
  }

  function ownArea(node: GraphNode): number {
    const hasSides = ['width', 'height'].some((side) => givenTo(node, side) !== undefined);
    const width = hasSides ? read(node, 'width', LIMITS.width.default) : 0;
    const height = hasSides ? read(node, 'height', LIMITS.height.default) : 0;
    // A side of 0 follows the other one, in the shape of what is handed.
    if (width !== height && width * height === 0)
      demands.unread.push({ node: nameOf(node), input: width === 0 ? 'width' : 'height' });
    return Math.max(width * height, read(node, 'megapixels') * MEGAPIXEL);
  }

  /** How much larger a node makes each side of what it is handed. */
  function factorOf(node: GraphNode): number {
    const own = FACTORS.reduce((product, input) => product * read(node, input, 1), 1);
    const model = givenTo(node, 'upscale_model');
    return isLinkIn(nodes, model) ? own * factorOfModel(node, nodes[model[0]]) : own;
  }

  /** Models say it in their names: `4x-UltraSharp.pth`, `RealESRGAN_x2.pth`. */
  function factorOfModel(node: GraphNode, loader: GraphNode | undefined): number {
    const [, before, after] = /(?<!\d)([1-8])x|x([1-8])(?!\d)/i.exec(`${loader?.inputs.model_name}`) ?? [];
    const factor = Number(before ?? after);
    if (!Number.isNaN(factor)) return factor;
    demands.unread.push({ node: nameOf(node), input: 'upscale_model' });
    return 1;
  }

  function sourcesOf({ inputs }: GraphNode): Output[] {
    const links = Object.entries(inputs).filter(([, value]) => isLinkIn(nodes, value));
    const pictures = links.filter(([input]) => PICTURES.test(input));
    return (pictures.length > 0 ? pictures : links).flatMap(([, value]) =>
      isLinkIn(nodes, value) ? [outputOf(value[0])] : [],
    );
  }

  /** A node that says no size or no number passes on the largest of what it is handed. */
  function outputOf(id: string): Output {
    const found = known.get(id);
    const node = nodes[id];
    if (found || !node) return found ?? NOTHING;
    // Until it is known, so that a circle ends.
    known.set(id, NOTHING);
    const sources = sourcesOf(node);
    const area = sources.reduce((most, source) => larger(most, source.area), NOTHING.area);
    const batch = sources.reduce((most, source) => larger(most, source.batch), NOTHING.batch);
    const handed = JOINS.test(node.class_type)
      ? sources.reduce((sum, source) => sum + source.batch.amount, 0)
      : batch.amount;
    const repeats = REPEATING.test(node.class_type) ? read(node, REPEATS, 1) : 1;
    const output = {
      area: decided(area, ownArea(node) || area.amount * factorOf(node) ** 2, node),
      batch: decided(batch, Math.max(1, read(node, BATCH) || handed * repeats), node),
    };
    known.set(id, output);
    return output;
  }

  for (const [id, node] of Object.entries(nodes)) {
    const { area, batch } = outputOf(id);
    demands.area = larger(demands.area, area);
    demands.batch = larger(demands.batch, batch);
    demands.steps = larger(demands.steps, { amount: read(node, 'steps'), node: nameOf(node) });
  }
  return demands;
}

/** What stands in an input, unless the node is one of ComfyUI's own that does not have it. */
const givenTo = ({ class_type, inputs }: GraphNode, input: string): unknown =>
  !isCoreClass(class_type) || HAVING[input]?.test(class_type) ? inputs[input] : undefined;

/** What a node hands on, where it stands in its inputs: of ComfyUI's own only in those that are made for that. */
function handedOn(node: GraphNode | undefined, input: string): unknown {
  if (!node || (isCoreClass(node.class_type) && !/^Primitive/.test(node.class_type))) return undefined;
  const { value, int, float, number } = node.inputs;
  return value ?? int ?? float ?? number ?? node.inputs[input];
}

const larger = (one: Demand, other: Demand): Demand => (other.amount > one.amount ? other : one);

/** By this node, where it makes another amount of what it is handed. */
const decided = (handed: Demand, amount: number, node: GraphNode): Demand =>
  amount === handed.amount ? handed : { amount, node: nameOf(node) };

const nameOf = ({ class_type, _meta }: GraphNode): string => _meta?.title || class_type;
