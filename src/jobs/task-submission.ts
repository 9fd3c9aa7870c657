import type { Submission } from '@darkroom/image-api';
import { LIMITS } from '@darkroom/image-api/limits';
import { fillGraph, type GraphValues, hasSeed } from '../graphs/fill-graph.ts';
import type { Job } from './job.ts';

interface OwnValues {
  seed: number;
  prompt?: string | undefined;
}

/**
 * What is submitted for a task: its seed and words, with the picture that it begins with; or its graph, filled in
 * with them.
 */
export function taskSubmission(
  { submission, graph, input }: Pick<Job, 'submission' | 'graph' | 'input'>,
  { seed, prompt }: OwnValues,
): Submission {
  if (!graph) {
    return {
      ...submission,
      ...(prompt !== undefined && { prompt }),
      ...(isSeeded(submission) && { seed }),
      ...(input?.name !== undefined && { image: input.name }),
    };
  }
  return { prompt: fillGraph(graph, graphValues(submission, { seed, prompt })) };
}

/** Whether another seed makes another picture of it. */
export const isSeeded = ({ operation }: Pick<Submission, 'operation'>): boolean =>
  operation !== 'upscale' && operation !== 'remove_background';

/** Whether a job makes another picture each time that it is asked for. */
export const makesOthers = ({ submission, graph }: Pick<Job, 'submission' | 'graph'>): boolean =>
  isSeeded(submission) && (!graph || hasSeed(graph));

/** Whether another picture can come of other words, another size or seed: a graph may have a place for none of them. */
export const takesValues = ({ graph }: Pick<Job, 'graph'>): boolean =>
  !graph || graph.uses.length > 0 || hasSeed(graph);

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
