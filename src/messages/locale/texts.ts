import type { LANGUAGES } from '../../guilds/guild-settings.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** Every language beside English, by Discord's locale. */
const TRANSLATIONS: Readonly<Record<Exclude<(typeof LANGUAGES)[number], 'en'>, Texts>> = { de };

const CATALOGUES: ReadonlyMap<string, Texts> = new Map(Object.entries({ en, ...TRANSLATIONS }));

/** The catalogue for one of Discord's locales (`de`, `pt-BR`, …): the language where there is one, else English. */
export const textsFor = (locale: string): Texts =>
  CATALOGUES.get(locale) ?? CATALOGUES.get(locale.split('-')[0] ?? '') ?? en;

/** A name in every language beside English, as Discord takes it. */
export const namesOf = (nameIn: (texts: Texts) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(TRANSLATIONS).map(([locale, texts]) => [locale, nameIn(texts)]));

/**
 * What a command or an option is for, in every language that says so, as Discord takes it; `path`: see
 * `Texts.commands`.
 */
export const descriptionsOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(TRANSLATIONS).flatMap(([locale, { commands }]) => {
      const description = Object.hasOwn(commands, path) ? commands[path] : undefined;
      return description === undefined ? [] : [[locale, description]];
    }),
  );
