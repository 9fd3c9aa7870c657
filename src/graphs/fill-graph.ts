import type { Graph } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/limits';
import { valuesIn } from './graph-values.ts';
import { GRAPH_BOUNDS, type NamedGraph, PLACEHOLDERS, type Placeholder } from './named-graph.ts';

export type GraphValues = Readonly<Record<Placeholder, string | number>>;

const PLACEHOLDER = new RegExp(`%(${PLACEHOLDERS.join('|')})%`, 'g');
const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((known) => known === name);

/** Inputs that a sampler takes its noise from. */
const isSeed = (input: string): boolean => input === 'seed' || input === 'noise_seed';

export function placeholdersIn(nodes: Graph): Placeholder[] {
  const found = new Set<string>();
  for (const { value } of valuesIn(nodes)) {
    if (typeof value === 'string') for (const [, name = ''] of value.matchAll(PLACEHOLDER)) found.add(name);
  }
  return PLACEHOLDERS.filter((name) => found.has(name));
}

/** How long a graph is in characters of JSON, filled in; it may be a little less. */
export function filledCharacters({ nodes }: Pick<NamedGraph, 'nodes'>, values: GraphValues): number {
  const json = JSON.stringify(nodes);
  const lengths = new Map(
    PLACEHOLDERS.map((name) => [`%${name}%`, JSON.stringify(`${values[name]}`).length]),
  );
  return Array.from(json.matchAll(PLACEHOLDER), ([found]) => lengths.get(found) ?? 0).reduce(
    (sum, characters) => sum + characters,
    json.length,
  );
}

/** The first plain seed of a graph that can be submitted as one. Larger ones have lost their digits in JSON. */
export function ownSeed(nodes: Graph): number | undefined {
  const seeds = Object.values(nodes).flatMap(({ inputs }) => [inputs.seed, inputs.noise_seed]);
  return seeds.find(
    (seed): seed is number =>
      Number.isSafeInteger(seed) && Number(seed) >= 0 && Number(seed) <= LIMITS.seed.max,
  );
}

/** Whether another seed makes another picture of it. */
export const hasSeed = ({ nodes, uses }: Pick<NamedGraph, 'nodes' | 'uses'>): boolean =>
  uses.includes('seed') ||
  Object.values(nodes).some(({ inputs }) =>
    Object.entries(inputs).some(([input, value]) => isSeed(input) && typeof value === 'number'),
  );

/**
 * A copy of a graph with its placeholders filled in: one that is the whole of a text becomes the value itself, so
 * that numbers stay numbers. A graph without `%seed%` gets the seed wherever a plain number is one, unless it is its
 * own.
 */
export function fillGraph({ nodes, uses }: Pick<NamedGraph, 'nodes' | 'uses'>, values: GraphValues): Graph {
  const reseeds = !uses.includes('seed') && values.seed !== ownSeed(nodes);

  function fillText(text: string): string | number {
    const whole = text.slice(1, -1);
    if (text === `%${whole}%` && isPlaceholder(whole)) return values[whole];
    return text.replace(PLACEHOLDER, (found, name: string) =>
      isPlaceholder(name) ? `${values[name]}` : found,
    );
  }

  function fill(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return fillText(value);
    if (typeof value !== 'object' || value === null || depth > GRAPH_BOUNDS.depth) return value;
    if (Array.isArray(value)) return value.map((item) => fill(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, depth + 1)]));
  }

  const fillInput = (input: string, value: unknown): unknown =>
    reseeds && isSeed(input) && typeof value === 'number' ? values.seed : fill(value, 0);

  return Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => [
      id,
      {
        ...node,
        inputs: Object.fromEntries(
          Object.entries(node.inputs).map(([input, value]) => [input, fillInput(input, value)]),
        ),
      },
    ]),
  );
}
