import type { Graph } from '../../../contract/graph.ts';
import type { ExecutionError, NodeErrors } from './answers.ts';

/** How much of what ComfyUI says is repeated, and about how many nodes. */
const MAX_DETAIL = 300;
const MAX_NODES = 5;

/** A node as its author knows it: by its title where it has one, with its class and id. */
export function nodeName(graph: Graph, id: string): string {
  const node = Object.hasOwn(graph, id) ? graph[id] : undefined;
  if (!node) return `node ${id}`;
  const { title } = node._meta ?? {};
  return title && title !== node.class_type
    ? `“${clip(title, 80)}” (${clip(node.class_type, 80)}, node ${id})`
    : `${clip(node.class_type, 80)} (node ${id})`;
}

/** One sentence for each node with errors; empty where there are none. */
export function explainNodeErrors(graph: Graph, nodeErrors: NodeErrors): string[] {
  const faulty = Object.entries(nodeErrors).filter(([, { errors }]) => errors.length > 0);
  const sentences = faulty.slice(0, MAX_NODES).map(([id, { errors }]) => {
    const problems = errors.map(({ message, details }) => [message, details].filter(Boolean).join(': '));
    return `${nodeName(graph, id)}: ${clip(problems.filter(Boolean).join('; ') || 'not valid')}`;
  });
  const more = faulty.length - sentences.length;
  return more > 0 ? [...sentences, `${more} more nodes have errors`] : sentences;
}

/** What stopped an execution, in one sentence. */
export function explainExecutionError(graph: Graph, error: ExecutionError): string {
  const [reason = ''] = (error.exception_message ?? '').trim().split('\n');
  const where = error.node_id === undefined ? 'The image server' : nodeName(graph, error.node_id);
  return `${where} failed: ${clip(reason) || 'no reason was given'}`;
}

/** Short, and without the paths of the machine that said it. */
export function clip(text: string, max = MAX_DETAIL): string {
  const safe = text.replace(/(?:\b[A-Za-z]:)?(?:[\\/][\w.@~ -]+){2,}/g, '…').trim();
  return safe.length > max ? `${safe.slice(0, max - 1)}…` : safe;
}
