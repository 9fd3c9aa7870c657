import { causeOf } from '@darkroom/process';
import type { Words } from '../operator/words/words.ts';
import { isLockedOut, isSomethingElse, type LocalEngine } from './engine-search.ts';
import { withoutPassword } from './settings.ts';

/** Why a look at an address has found no such engine, and what mends it, in a sentence. */
export function engineProblem(
  error: unknown,
  { engine, url }: { engine: LocalEngine; url: string },
  { pictures, said }: Words,
): string {
  const shown = withoutPassword(url);
  if (engine !== 'openai' && isLockedOut(error)) return pictures.needsPassword[engine](shown);
  if (isSomethingElse(error)) return pictures.somethingElse[engine](shown);
  return pictures.noAnswer(shown, said(causeOf(error)));
}
