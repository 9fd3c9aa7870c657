/** What a worker thread does. */
export { parseGraph } from '../../graphs/parse-graph.ts';
export { inspect } from './inspect.ts';
