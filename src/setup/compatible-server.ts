import { refusesKey } from '@darkroom/image-service/model-list';
import { engineProblem, lookAt, refusalIn } from './engine-search.ts';
import type { StepContext } from './step.ts';

/** A server that speaks as OpenAI, as `HOSTED_MODEL` names it. */
export const COMPATIBLE = 'openai-compatible';

/** What a server that speaks as OpenAI says to a key; a server that names no models has some all the same. */
export async function lookAtCompatible(
  url: string,
  key: string,
  { ask, words }: Pick<StepContext, 'ask' | 'words'>,
): Promise<{ models: readonly string[] } | { problem: string; isOfKey: boolean }> {
  const { pictures } = words;
  return ask.during(pictures.asking, (_, signal) =>
    lookAt('openai', url, { key: key || undefined, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      const refusal = refusalIn(error);
      if (refusal === undefined)
        return { problem: engineProblem(error, { engine: 'openai', url }, words), isOfKey: false };
      if (!refusesKey(refusal.status, refusal.answer)) return { models: [] };
      return { problem: key === '' ? pictures.wantsKey : pictures.refusedKey, isOfKey: true };
    }),
  );
}
