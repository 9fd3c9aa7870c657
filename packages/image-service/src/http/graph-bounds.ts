import { GRAPH_LIMITS } from '../engines/graph-pixels.ts';

/** Characters of a text, alone or in a graph: it is kept with its task, and an encoder works through all of it. */
export const MAX_TEXT = 10_000;
/**
 * How deep a graph may be nested. Its nodes' inputs and the links in them end at 4; what a node keeps in an input of
 * its own is seldom deeper than some lists. Reading and writing it takes as many calls within each other.
 */
const MAX_DEPTH = 20;
/** JSON is read into numbers that hold no larger integer exactly: a seed above would be another one than was sent. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

const VALUE = { $ref: '#/components/schemas/GraphValue' };

const PLAIN = [
  { type: 'string', maxLength: MAX_TEXT },
  { type: 'number', minimum: -MAX_NUMBER, maximum: MAX_NUMBER },
  { type: ['boolean', 'null'] },
  { type: 'object', additionalProperties: VALUE },
];
/** Lists within each other. They refer to nothing but objects: TypeScript knows no type that is a list of itself. */
const LISTS = 6;
const listOf = (levels: number): object => ({
  type: 'array',
  ...(levels > 0 && { items: { anyOf: [...PLAIN, listOf(levels - 1)] } }),
});

/** What a graph may hold, as a JSON schema and as far as one can say it: without the depth. */
export const GRAPH_VALUE = { anyOf: [...PLAIN, listOf(LISTS)] };

/** The JSON schema of a graph, with the bounds of this service where any value may stand. */
export function boundGraph(graph: unknown): unknown {
  const bounded = JSON.stringify(graph).replaceAll(
    '"additionalProperties":{}',
    () => `"additionalProperties":${JSON.stringify(VALUE)}`,
  );
  return { ...JSON.parse(bounded), maxProperties: GRAPH_LIMITS.nodes };
}

/** Why no engine takes this graph, in a sentence; undefined where one may. It need not be a graph at all. */
export function boundsRejection(graph: object): string | undefined {
  const nodes = Object.keys(graph).length;
  return nodes > GRAPH_LIMITS.nodes
    ? `A graph may have at most ${GRAPH_LIMITS.nodes} nodes; this one has ${nodes}.`
    : partRejection(graph, MAX_DEPTH);
}

/** Looks no more than `levels` down. */
function partRejection(part: unknown, levels: number): string | undefined {
  if (typeof part === 'string' && part.length > MAX_TEXT)
    return `A text in a graph may have at most ${MAX_TEXT} characters; this one has ${part.length}.`;
  if (typeof part === 'number' && Math.abs(part) > MAX_NUMBER)
    return `A number in a graph may be at most ${MAX_NUMBER}, because the digits of a larger one are lost: choose a smaller seed.`;
  if (typeof part !== 'object' || part === null) return undefined;
  if (levels === 0) return `A graph may be nested at most ${MAX_DEPTH} levels deep.`;
  for (const inner of Object.values(part)) {
    const rejection = partRejection(inner, levels - 1);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
