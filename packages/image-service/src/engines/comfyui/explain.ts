import type { Graph } from '@darkroom/image-api';
import { sanitize } from '../servers/sanitize.ts';
import type { ExecutionError, NodeErrors } from './responses.ts';

/** How many nodes with errors are named. */
const MAX_NODES = 5;

/** Names a node for the author of its graph: title where it has one, class and id. */
export function nodeName(graph: Graph, id: string): string {
  const node = Object.hasOwn(graph, id) ? graph[id] : undefined;
  if (!node) return `node ${id}`;
  const { title } = node._meta ?? {};
  return title && title !== node.class_type
    ? `“${sanitize(title, 80)}” (${sanitize(node.class_type, 80)}, node ${id})`
    : `${sanitize(node.class_type, 80)} (node ${id})`;
}

/** One sentence for each node with errors; empty where there are none. */
export function explainNodeErrors(graph: Graph, nodeErrors: NodeErrors): string[] {
  const withErrors = Object.entries(nodeErrors).filter(([, { errors }]) => errors.length > 0);
  const sentences = withErrors.slice(0, MAX_NODES).map(([id, { errors }]) => {
    const problems = errors.map(({ message, details }) => [message, details].filter(Boolean).join(': '));
    return `${nodeName(graph, id)}: ${sanitize(problems.filter(Boolean).join('; ') || 'not valid')}`;
  });
  const more = withErrors.length - sentences.length;
  return more > 0 ? [...sentences, `${more} more nodes have errors`] : sentences;
}

/** What Python said of an execution that failed: type and whole message. */
export const errorText = ({ exception_type = '', exception_message = '' }: ExecutionError): string =>
  `${exception_type}: ${exception_message}`;

/** Why an execution failed, in one sentence. */
export function explainExecutionError(graph: Graph, error: ExecutionError): string {
  const [reason = ''] = (error.exception_message ?? '').trim().split('\n');
  const where = error.node_id === undefined ? 'The image server' : nodeName(graph, error.node_id);
  return `${where} failed: ${sanitize(reason) || 'no reason was given'}.`;
}

export const explainForbiddenModel = (model: string): string =>
  `The model ${sanitize(model, 100)} may not be used here.`;
