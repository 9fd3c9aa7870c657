import type { Graph, GraphNode } from '@darkroom/image-api';
import type { ComfyEvent } from './events.ts';

/** 100 is the picture itself, which has still to be fetched. */
const MAX_PERCENT = 99;

/**
 * The progress of a graph, computed from the server's events: the share of its nodes that are done, where a sampler
 * counts as many times as it has steps. Never falls.
 */
export function createGraphProgress(graph: Graph) {
  const weights = new Map(requiredNodes(graph).map((id) => [id, weightOf(graph[id])]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const shares = new Map<string, number>();
  let executing: string | undefined;
  let highest = 0;

  const setShare = (node: string, share: number) => {
    if (weights.has(node)) shares.set(node, Math.max(shares.get(node) ?? 0, Math.min(1, share)));
  };

  return {
    /** Returns the percentage after `event`, 0 to 99. */
    update(event: ComfyEvent): number {
      switch (event.type) {
        case 'execution_cached':
          for (const node of event.data.nodes) setShare(node, 1);
          break;
        case 'executing':
          // Nodes run one after another: when one begins, the one before is done.
          if (executing !== undefined) setShare(executing, 1);
          executing = event.data.node ?? undefined;
          break;
        case 'executed':
          setShare(event.data.node, 1);
          break;
        case 'progress':
          setShare(event.data.node, shareOf(event.data));
          break;
        case 'progress_state':
          for (const [node, progress] of Object.entries(event.data.nodes))
            setShare(node, progress.state === 'finished' ? 1 : shareOf(progress));
          break;
        default:
          break;
      }
      let done = 0;
      for (const [node, share] of shares) done += (weights.get(node) ?? 0) * share;
      highest = Math.max(highest, Math.min(MAX_PERCENT, Math.floor((100 * done) / total)));
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

/** The nodes that a picture depends on; the others are never run. */
function requiredNodes(graph: Graph): string[] {
  const all = Object.keys(graph);
  const outputs = all.filter((id) => /^(Save|Preview)/.test(graph[id]?.class_type ?? ''));
  const visited = new Set<string>();
  const open = outputs.length > 0 ? outputs : all;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (visited.has(id) || !Object.hasOwn(graph, id)) continue;
    visited.add(id);
    for (const input of Object.values(graph[id]?.inputs ?? {}))
      if (Array.isArray(input) && typeof input[0] === 'string') open.push(input[0]);
  }
  return [...visited];
}
