import { createInspect } from './inspect.ts';

/** What a worker thread does. */
export { parseGraph } from '../../graphs/parse-graph.ts';
export const inspect = createInspect();
