import { OperatorError, WrongSettings } from '@darkroom/process';
import type { Words } from './words.ts';

/** What `read` returns. Settings that are wrong are said in these words. */
export function inWords<Result>(words: Words, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof WrongSettings
      ? new OperatorError(words.wrongSettings(error), { cause: error })
      : error;
  }
}
