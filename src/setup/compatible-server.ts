import { engineProblem } from './engine-problem.ts';
import { lookAt, statusOf } from './engine-search.ts';
import type { StepContext } from './step.ts';

/** A server that speaks as OpenAI, as `HOSTED_MODEL` names it. */
export const COMPATIBLE = 'openai-compatible';

/** What a server that speaks as OpenAI says to a key; a server that names no models has some all the same. */
export async function lookAtCompatible(
  url: string,
  key: string,
  { ask, words }: StepContext,
): Promise<{ models: readonly string[] } | { problem: string; isOfKey: boolean }> {
  return ask.during(words.pictures.asking, (_, signal) =>
    lookAt('openai', url, { key: key || undefined, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      const status = statusOf(error);
      if (status !== undefined && status !== 401) return { models: [] };
      const problem = engineProblem(error, { engine: 'openai', url }, words);
      return {
        problem: key === '' && status === 401 ? words.pictures.wantsKey : problem,
        isOfKey: status === 401,
      };
    }),
  );
}
