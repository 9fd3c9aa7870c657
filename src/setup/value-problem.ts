import { WrongSettings } from '@darkroom/process';
import { loadConfig } from '../config.ts';
import type { Words } from '../operator/words/words.ts';
import { Unwritable, withSettings } from './env-file.ts';

/** Why a setting cannot be this, in a sentence; undefined where it can, as far as that is known without trying it. */
export function valueProblem(name: string, value: string, words: Words): string | undefined {
  try {
    withSettings('', { [name]: value });
    loadConfig({ [name]: value });
  } catch (error) {
    if (error instanceof Unwritable) return words.file.noValue(name);
    if (!(error instanceof WrongSettings)) throw error;
    // What it wants beside it is asked for later.
    const own = error.problems.filter((problem) => problem.startsWith(`${name}:`));
    if (own.length > 0) return own.map(words.said).join('\n');
  }
  return undefined;
}
