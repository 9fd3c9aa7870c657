import type { Submission } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/limits';
import { fillGraph, type GraphValues } from '../graphs/fill-graph.ts';
import type { Job } from './job.ts';

/** The words and the seed of one task. */
interface OwnValues {
  seed: number;
  prompt?: string | undefined;
}

/** What is submitted for a task of a job: its own seed and words, and of a graph the graph alone, with these filled in. */
export function taskSubmission(
  { submission, graph }: Pick<Job, 'submission' | 'graph'>,
  { seed, prompt }: OwnValues,
): Submission {
  if (!graph) return { ...submission, ...(prompt !== undefined && { prompt }), seed };
  return { prompt: fillGraph(graph, graphValues(submission, { seed, prompt })) };
}

/** What is filled into a graph for a task. */
export function graphValues(submission: Submission, { seed, prompt: own }: OwnValues): GraphValues {
  const {
    prompt,
    negative_prompt = '',
    width = LIMITS.width.default,
    height = LIMITS.height.default,
  } = submission;
  const words = own ?? (typeof prompt === 'string' ? prompt : '');
  return { prompt: words, negative_prompt, seed, width, height };
}
