import type { StepContext } from './step.ts';

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
