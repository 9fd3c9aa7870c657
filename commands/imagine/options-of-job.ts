import type { Job } from '../../src/jobs/job.ts';
import { formatSize } from '../../src/limits/size.ts';
import { escapeFlags } from '../../src/requests/flags.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { escapePermutations } from '../../src/requests/permutations.ts';

/** What makes a job again, with other seeds; with `task` that picture of it alone, with its own words and seed. */
export function optionsOf(job: Job, { task }: { task?: number } = {}): ImagineOptions {
  const { operation = 'generate', scale, expand, ...submission } = job.submission;
  const { prompt, width, height, workflow, negative_prompt, steps, cfg, model, variation_of, strength } =
    submission;
  const one = task === undefined ? undefined : job.tasks[task];
  const { size: variants } = new Set(job.tasks.map((each) => each.prompt));
  const several = job.tasks.some((each) => each.prompt !== undefined);
  const words = one?.prompt ?? (typeof prompt === 'string' ? prompt : '');
  return {
    prompt: escapeFlags(several && !one ? words : escapePermutations(words)),
    negative_prompt,
    size: width === undefined || height === undefined ? undefined : formatSize({ width, height }),
    workflow,
    steps,
    seed: one?.seed,
    cfg,
    model,
    variation_of,
    strength,
    source:
      job.input && operation !== 'generate'
        ? { operation, input: job.input, ...(scale && { scale }), ...(expand && { expand }) }
        : undefined,
    // With words of their own, the permutations say how many.
    count: one ? undefined : several ? job.tasks.length / variants : job.tasks.length,
    private: job.private,
    spoiler: job.spoiler,
    graph: job.graph,
  };
}
