import { randomInt, randomUUID } from 'node:crypto';
import type { Workflow } from '../../contract/limits.ts';

/** Ids of `rr3` tasks per millisecond. With 1000 they stay below 2^53, so exact as JSON numbers, until the year 2255. */
const IDS_PER_MS = 1_000;

/** A UUID for the node-graph workflows; digits in order of time for `rr3`. A task's family is told from its id. */
export function makeTaskId(workflow: Workflow, now: number): string {
  return workflow === 'rr3' ? String(now * IDS_PER_MS + randomInt(IDS_PER_MS)) : randomUUID();
}
