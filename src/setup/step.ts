import type { Words } from '../operator/words/words.ts';
import type { Ask } from './ask.ts';
import type { Settings } from './settings.ts';

export interface StepContext {
  settings: Settings;
  ask: Ask;
  words: Words;
}

/** Whether somebody tries again what has failed, or would rather go on without, or do something else. */
export const triesAgain = async (
  { ask, words }: Pick<StepContext, 'ask' | 'words'>,
  again: string = words.again,
  otherwise: string = words.goOn,
): Promise<boolean> =>
  (await ask.choose(words.pictures.next, [
    { value: 'again', label: again },
    { value: 'otherwise', label: otherwise },
  ])) === 'again';
