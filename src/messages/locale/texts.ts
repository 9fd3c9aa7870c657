import { de } from './de.ts';
import { en, type Texts } from './en.ts';

const CATALOGUES: ReadonlyMap<string, Texts> = new Map([
  ['de', de],
  ['en', en],
]);

/** The catalogue for one of Discord's locales (`de`, `pt-BR`, …): the language where there is one, else English. */
export const textsFor = (locale: string): Texts =>
  CATALOGUES.get(locale) ?? CATALOGUES.get(locale.split('-')[0] ?? '') ?? en;
