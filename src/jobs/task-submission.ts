import { LIMITS, type Submission } from '@darkroom/image-api';
import { fillGraph } from '../graphs/fill-graph.ts';
import type { Job } from './job.ts';

/** What is submitted for a task of a job: its own seed and words, and of a graph the graph alone, with these filled in. */
export function taskSubmission(
  { submission, graph }: Pick<Job, 'submission' | 'graph'>,
  { seed, prompt: own }: { seed: number; prompt?: string | undefined },
): Submission {
  if (!graph) return { ...submission, ...(own !== undefined && { prompt: own }), seed };
  const {
    prompt,
    negative_prompt = '',
    width = LIMITS.width.default,
    height = LIMITS.height.default,
  } = submission;
  const words = own ?? (typeof prompt === 'string' ? prompt : '');
  return { prompt: fillGraph(graph, { prompt: words, negative_prompt, seed, width, height }) };
}
