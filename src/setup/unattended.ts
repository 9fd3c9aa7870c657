import { OperatorError } from '@darkroom/process';
import type { Ask } from './ask.ts';

/**
 * Nobody to ask: what is said goes to `write`, a line each, and a question means that an answer was given which does
 * not hold, or that none was. The last thing that was found wrong says which.
 */
export function askNobody(write: (line: string) => void): Ask {
  let lastWrong: string | undefined;
  const ask = async (message: string): Promise<never> => {
    throw new OperatorError(lastWrong ?? `${message} There is no terminal to answer this in.`);
  };
  return {
    isAttended: false,
    topic: (heading) => write(heading),
    tell: (words) => write(words),
    right: (words) => write(`✔ ${words}`),
    wrong(words) {
      lastWrong = words;
    },
    choose: ask,
    text: ask,
    secret: ask,
    confirm: ask,
    during: (_message, work) => work(() => undefined, new AbortController().signal),
  };
}
