import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** Texts of another language: what is left out is read in English. */
type Translation = Partial<Pick<Texts, 'commands'>> & Translated<Omit<Texts, 'commands'>>;

type Translated<Section> = {
  readonly [Key in keyof Section]?: Section[Key] extends string | ((...values: never[]) => unknown)
    ? Section[Key]
    : Translated<Section[Key]>;
};

/** Every language beside English, by Discord's locale. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = { de };

/** A whole catalogue: `translation`, and English where it has nothing to say. */
export const completed = (translation: Translation): Texts => fill(en, translation);

function fill<Section extends object>(english: Section, translated: object): Section {
  const filled = Object.entries(translated).map(([key, text]) => {
    const own: unknown = Reflect.get(english, key);
    return [key, isSection(own) && isSection(text) ? fill(own, text) : (text ?? own)];
  });
  return { ...english, ...Object.fromEntries(filled) };
}

const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const CATALOGUES: ReadonlyMap<string, Texts> = new Map([
  ['en', en],
  ...Object.entries(TRANSLATIONS).map(([locale, translation]) => [locale, completed(translation)] as const),
]);

/** The catalogue for one of Discord's locales (`de`, `pt-BR`, …): the language where there is one, else English. */
export const textsFor = (locale: string): Texts =>
  CATALOGUES.get(locale) ?? CATALOGUES.get(locale.split('-')[0] ?? '') ?? en;

/** A name in every language beside English, as Discord takes it. */
export const namesOf = (nameIn: (texts: Texts) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(TRANSLATIONS).map(([locale]) => [locale, nameIn(textsFor(locale))]));

/**
 * What a command or an option is for, in every language that says so, as Discord takes it; `path`: see
 * `Texts.commands`.
 */
export const descriptionsOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(TRANSLATIONS).flatMap(([locale, { commands = {} }]) => {
      const description = Object.hasOwn(commands, path) ? commands[path] : undefined;
      return description === undefined ? [] : [[locale, description]];
    }),
  );
