import type { StepContext } from './step.ts';

/** Whether somebody tries again what has failed, or goes on without. */
export const triesAgain = async (
  { ask, words }: Pick<StepContext, 'ask' | 'words'>,
  again: string = words.again,
): Promise<boolean> =>
  (await ask.choose(words.pictures.next, [
    { value: 'again', label: again },
    { value: 'skip', label: words.goOn },
  ])) === 'again';
