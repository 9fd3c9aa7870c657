import type { Graph } from '../../../contract/graph.ts';
import type { ExecutionError, NodeErrors } from './answers.ts';
import { excerpt } from './excerpt.ts';

/** About how many nodes something is said. */
const MAX_NODES = 5;

/** A node as its author knows it: by its title where it has one, with its class and id. */
export function nodeName(graph: Graph, id: string): string {
  const node = Object.hasOwn(graph, id) ? graph[id] : undefined;
  if (!node) return `node ${id}`;
  const { title } = node._meta ?? {};
  return title && title !== node.class_type
    ? `“${excerpt(title, 80)}” (${excerpt(node.class_type, 80)}, node ${id})`
    : `${excerpt(node.class_type, 80)} (node ${id})`;
}

/** One sentence for each node with errors; empty where there are none. */
export function explainNodeErrors(graph: Graph, nodeErrors: NodeErrors): string[] {
  const faulty = Object.entries(nodeErrors).filter(([, { errors }]) => errors.length > 0);
  const sentences = faulty.slice(0, MAX_NODES).map(([id, { errors }]) => {
    const problems = errors.map(({ message, details }) => [message, details].filter(Boolean).join(': '));
    return `${nodeName(graph, id)}: ${excerpt(problems.filter(Boolean).join('; ') || 'not valid')}`;
  });
  const more = faulty.length - sentences.length;
  return more > 0 ? [...sentences, `${more} more nodes have errors`] : sentences;
}

/** What stopped an execution, in one sentence. */
export function explainExecutionError(graph: Graph, error: ExecutionError): string {
  const [reason = ''] = (error.exception_message ?? '').trim().split('\n');
  const where = error.node_id === undefined ? 'The image server' : nodeName(graph, error.node_id);
  return `${where} failed: ${excerpt(reason) || 'no reason was given'}`;
}
