import type { Graph, Submission } from '@darkroom/image-api';
import { createCache, HOUR_MS, systemClock } from '@darkroom/time';
import { describeGraph, type GraphDescription } from '../../graphs/describe-graph.ts';
import { filledCharacters, fillGraph } from '../../graphs/fill-graph.ts';
import { demandsOf, type GraphDemands } from '../../graphs/graph-demands.ts';
import { foreignNames } from '../../graphs/graph-values.ts';
import { GRAPH_BOUNDS, type NamedGraph } from '../../graphs/named-graph.ts';
import type { GraphProblem } from '../../graphs/parse-graph.ts';
import { type BlockedWords, compileBlockedWords } from '../../guilds/blocked-words.ts';
import { graphValues, taskSubmission } from '../../jobs/task-submission.ts';

/** What somebody asks for, or has been given, and what must not stand in it. */
export interface Inspection {
  submission: Submission;
  graph?: NamedGraph | undefined;
  /** The pictures that it asks for, each with its seed and its words. */
  tasks: readonly { seed: number; prompt?: string | undefined }[];
  blockedWords: readonly string[];
}

export interface Inspected {
  /** Why it is not sent. */
  problem: { kind: 'word'; word: string } | GraphProblem | undefined;
  /** Of the graph; of each task what it demands. */
  graph: { description: GraphDescription; demands: GraphDemands[] } | undefined;
}

/** So many servers' blocked words are kept as they were compiled, and for so long. The longest of them hold 4 MB. */
const COMPILED = { max: 16, ttlMs: HOUR_MS };

/** Reads every text of a request. The longest take seconds: `Inspector` gives them to a thread. */
export function createInspect(): (inspection: Inspection) => Inspected {
  const compiled = createCache<string, BlockedWords>({ ...COMPILED, clock: systemClock });

  return ({ submission, graph, tasks, blockedWords }) => {
    if (graph && tasks.some((task) => isTooLarge(graph, submission, task)))
      return { problem: { kind: 'filled-too-large' }, graph: undefined };
    const words = compiled.recall(JSON.stringify(blockedWords), () => compileBlockedWords(blockedWords));
    const demands: GraphDemands[] = [];
    let word = graph && words.findIn({ prompt: graph.name });
    for (const task of tasks) {
      const filled = taskSubmission({ submission, graph }, task);
      const nodes = typeof filled.prompt === 'string' ? undefined : filled.prompt;
      word ??= words.findIn(filled, nodes && foreignNames(nodes));
      if (graph) demands.push(demandsOf(seedless(graph, submission, task)));
    }
    return {
      problem: word === undefined ? undefined : { kind: 'word', word },
      graph: graph && { description: describeGraph(graph.nodes), demands },
    };
  };
}

/** Filled in but for the seed, which is another one for each picture: nobody knows what it would decide. */
const seedless = (graph: NamedGraph, submission: Submission, task: Inspection['tasks'][number]): Graph =>
  fillGraph(graph, { ...graphValues(submission, task), seed: '%seed%' });

const isTooLarge = (graph: NamedGraph, submission: Submission, task: Inspection['tasks'][number]): boolean =>
  filledCharacters(graph, graphValues(submission, task)) > GRAPH_BOUNDS.filled;
