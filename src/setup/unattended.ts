import { OperatorError } from '@darkroom/process';
import type { Words } from '../operator/words/words.ts';
import type { Ask } from './ask.ts';

/**
 * Nobody to ask: what is said goes to `write`, a line each, and a question means that an answer was given which does
 * not hold, or that none was. The last thing that was found wrong says which.
 */
export function askNobody(write: (line: string) => void, words: Words): Ask {
  let lastWrong: string | undefined;
  const ask = async (message: string): Promise<never> => {
    throw new OperatorError(lastWrong ?? words.noTerminal(message));
  };
  return {
    isAttended: false,
    topic: write,
    tell: write,
    right: (found) => write(`✔ ${found}`),
    wrong(found) {
      lastWrong = found;
    },
    choose: ask,
    text: ask,
    secret: ask,
    confirm: ask,
    during: (_message, work) => work(() => undefined, new AbortController().signal),
  };
}
