import type { GraphDescription } from '../graphs/describe-graph.ts';
import { GRAPH_BOUNDS } from '../graphs/named-graph.ts';
import type { GraphProblem } from '../graphs/parse-graph.ts';
import { foreignText } from './foreign-text.ts';
import type { Texts } from './locale/en.ts';
import { truncate } from './message.ts';

/** How many of a list are named: with them a message is short enough to be read. */
const MOST_CLASSES = 12;
const MOST_MODELS = 8;
/** Characters of a list: three of them leave room for what else a message says. */
const LIST_CHARACTERS = 350;

/** Why a graph cannot be sent, or words, and what mends it. */
export function explainGraphProblem(problem: GraphProblem, { graph }: Texts): string {
  switch (problem.kind) {
    case 'no-text':
      return graph['no-graph'];
    case 'broken':
      return graph.broken(problem.at.line, problem.at.column);
    case 'too-large':
      return graph['too-large'](GRAPH_BOUNDS.nodes, GRAPH_BOUNDS.values, GRAPH_BOUNDS.characters / 1024);
    case 'secret': {
      const { node, input } = problem.place;
      return graph.secret(
        node === undefined ? undefined : foreignText(node),
        input === undefined ? undefined : foreignText(input),
      );
    }
    default:
      return graph[problem.kind];
  }
}

/** What a graph consists of, a line each: its size, its classes, its models, and what is not known of them. */
export function graphLines(
  name: string,
  { nodes, classes, unknown, models }: GraphDescription,
  { graph }: Texts,
): string[] {
  const list = (names: readonly string[], most: number) => listed(names, most, graph.more);
  const modelNames = models.map((model) => foreignText(model));
  return [
    graph.heading(foreignText(name), nodes),
    list(classes.map(counted), MOST_CLASSES),
    ...(models.length > 0 ? [graph.models(list(modelNames, MOST_MODELS))] : []),
    ...(unknown.length > 0 ? [graph.unknown(list(unknown.map(counted), MOST_MODELS))] : []),
  ];
}

const counted = ([name, count]: GraphDescription['classes'][number]): string =>
  count === 1 ? foreignText(name) : `${foreignText(name)} ×${count}`;

function listed(names: readonly string[], most: number, more: (count: number) => string): string {
  const rest = names.length - most;
  const named = truncate(names.slice(0, most).join(', '), LIST_CHARACTERS);
  return rest > 0 ? `${named}, ${more(rest)}` : named;
}
