import { type Environment, OperatorError, WrongSettings } from '@darkroom/process';
import { de } from './de.ts';
import { en, type Words } from './en.ts';

export type { Words };

/** By the name of a language, or what a terminal says of its user's: `de`, `de_DE.UTF-8`. */
export const wordsIn = (language: string | undefined): Words =>
  /^de(?![a-z])/i.test(language ?? '') ? de : en;

/** In the language of a terminal; on Windows, which sets none, in that of its user. */
export const wordsOf = ({ LC_ALL, LC_MESSAGES, LANG }: Environment): Words =>
  wordsIn(LC_ALL || LC_MESSAGES || LANG || languageOfWindows());

const languageOfWindows = (): string | undefined =>
  process.platform === 'win32' ? Intl.DateTimeFormat().resolvedOptions().locale : undefined;

/** What `read` returns. Settings that are wrong are said in these words. */
export function inWords<Result>(words: Words, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof WrongSettings
      ? new OperatorError(words.said(error.message), { cause: error })
      : error;
  }
}
