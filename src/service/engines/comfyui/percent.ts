import type { Graph, GraphNode } from '../../../contract/graph.ts';
import type { ComfyEvent } from './events.ts';

/** 100 is the picture itself, which has still to be fetched. */
const MOST = 99;

/**
 * How far a graph is, from what the server tells: the share of its nodes that are done, where a sampler weighs as
 * much as it has steps. Never falls.
 */
export function createPercent(graph: Graph) {
  const weights = new Map(needed(graph).map((id) => [id, weightOf(graph[id])]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const shares = new Map<string, number>();
  let executing: string | undefined;
  let highest = 0;

  const reach = (node: string, share: number) => {
    if (weights.has(node)) shares.set(node, Math.max(shares.get(node) ?? 0, Math.min(1, share)));
  };

  return {
    /** Takes in what happened; returns the percentage after it, 0 to 99. */
    see(event: ComfyEvent): number {
      switch (event.type) {
        case 'execution_cached':
          for (const node of event.data.nodes) reach(node, 1);
          break;
        case 'executing':
          // Nodes run one after another: who comes next tells that the one before is done.
          if (executing !== undefined) reach(executing, 1);
          executing = event.data.node ?? undefined;
          break;
        case 'executed':
          reach(event.data.node, 1);
          break;
        case 'progress':
          reach(event.data.node, shareOf(event.data));
          break;
        case 'progress_state':
          for (const [node, progress] of Object.entries(event.data.nodes))
            reach(node, progress.state === 'finished' ? 1 : shareOf(progress));
          break;
        default:
          break;
      }
      let done = 0;
      for (const [node, share] of shares) done += (weights.get(node) ?? 0) * share;
      highest = Math.max(highest, Math.min(MOST, Math.floor((100 * done) / total)));
      return highest;
    },
  };
}

const shareOf = ({ value, max }: { value: number; max: number }): number =>
  max > 0 && value > 0 ? value / max : 0;

function weightOf(node: GraphNode | undefined): number {
  const steps = node?.inputs.steps;
  return typeof steps === 'number' && steps > 1 ? steps : 1;
}

/** Nodes that a picture depends on; the others are never run. */
function needed(graph: Graph): string[] {
  const all = Object.keys(graph);
  const outputs = all.filter((id) => /^(Save|Preview)/.test(graph[id]?.class_type ?? ''));
  const reached = new Set<string>();
  const open = outputs.length > 0 ? outputs : all;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || !Object.hasOwn(graph, id)) continue;
    reached.add(id);
    for (const input of Object.values(graph[id]?.inputs ?? {}))
      if (Array.isArray(input) && typeof input[0] === 'string') open.push(input[0]);
  }
  return [...reached];
}
