import { de } from './de.ts';
import { en, type Words } from './en.ts';

const CATALOGUES: Readonly<Record<string, Words>> = { de, en };

/** The page's words in the language of `locale`, e.g. `en-GB`; English where there is none. */
export const wordsIn = (locale: string): Words => CATALOGUES[locale.split('-')[0] ?? ''] ?? en;
