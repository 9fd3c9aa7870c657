import { de } from './de.ts';
import { en, type Words } from './en.ts';

export type { Words };

/** By what a terminal says of its user's language: `de_DE.UTF-8`. */
export const wordsIn = (language: string | undefined): Words =>
  /^de(?![a-z])/i.test(language ?? '') ? de : en;
