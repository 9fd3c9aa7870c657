import { LIMITS } from '@darkroom/image-api';
import type { Texts } from '../messages/locale/en.ts';
import type { FlagMeaning } from './flag-names.ts';
import { type ImagineOptions, MAX_PICTURES } from './imagine-options.ts';
import { PRESET_NAMES } from './sizes.ts';

export type FlagOptions = Omit<ImagineOptions, 'prompt' | 'flags' | 'graph' | 'source'>;

/**
 * What one flag says, and how many characters behind it belong to it. Undefined where what it takes is missing, or is
 * none.
 */
export interface FlagValue {
  taken: number;
  says: (FlagOptions & { width?: number; height?: number }) | undefined;
}

const ON_OR_OFF: ReadonlyMap<string, boolean> = new Map([
  ...['on', 'true', 'yes'].map((word): [string, boolean] => [word, true]),
  ...['off', 'false', 'no'].map((word): [string, boolean] => [word, false]),
]);

export const RANGES = {
  steps: { ...LIMITS.steps, isWhole: true },
  seed: { ...LIMITS.seed, isWhole: true },
  variation_of: { min: 0, max: LIMITS.seed.max, isWhole: true },
  count: { min: 1, max: MAX_PICTURES, isWhole: true },
  cfg: { ...LIMITS.cfg, isWhole: false },
  strength: { min: 0, max: 1, isWhole: false },
} as const satisfies Partial<Record<FlagMeaning, { min: number; max: number; isWhole: boolean }>>;

export const isRanged = (name: string): name is keyof typeof RANGES => Object.hasOwn(RANGES, name);

/** What `named` has to be, in a sentence. */
export const explainRange = (
  named: string,
  { min, max, isWhole }: (typeof RANGES)[keyof typeof RANGES],
  { refusal }: Texts,
): string => (isWhole ? refusal.integerRange(named, min, max) : refusal.numberRange(named, min, max));

/** `after`: what follows the name. `nextFlag`: where the next flag begins in a text. */
export function readFlagValue(
  meaning: FlagMeaning,
  after: string,
  nextFlag: (text: string) => number,
): FlagValue {
  const [by = ''] = /^(?:\s*=\s*|\s+)/.exec(after) ?? [];
  const assigned = by.includes('=');
  const rest = after.slice(by.length);
  const own = rest.slice(0, lengthOfOwn(rest, nextFlag));
  const word = wordOf(own);
  const taking = (says: FlagValue['says'], length = word.length): FlagValue => ({
    taken: length === 0 ? by.trimEnd().length : by.length + length,
    says,
  });

  switch (meaning) {
    case 'private':
    case 'public':
    case 'spoiler': {
      if (!assigned) return { taken: 0, says: switched(meaning, true) };
      const on = ON_OR_OFF.get(word.value.toLowerCase());
      return taking(on === undefined ? undefined : switched(meaning, on));
    }
    case 'niji': {
      const version = /^\d+(?=\s|$)/.exec(own)?.[0] ?? '';
      return taking({ workflow: 'anime' }, version.length);
    }
    case 'negative_prompt': {
      const text = textOf(own);
      return taking(text.value === '' ? undefined : { negative_prompt: text.value }, text.length);
    }
    case 'size': {
      const preset = presetAt(own);
      if (preset) return taking({ size: preset }, preset.length);
      return taking(word.value === '' ? undefined : { size: word.value });
    }
    case 'workflow': {
      // Of other bots it is the width.
      if (!word.quoted && /^\d+$/.test(word.value)) return taking({ width: Number(word.value) });
      return taking(word.value === '' ? undefined : { workflow: word.value });
    }
    case 'model':
      return taking(word.value === '' ? undefined : { model: word.value });
    case 'seed':
      return taking(word.value.toLowerCase() === 'random' ? { seed: -1 } : numbered('seed', word.value));
    default:
      return taking(numbered(meaning, word.value));
  }
}

/** Up to the next flag; what looks like one in quotation marks is none. */
function lengthOfOwn(rest: string, nextFlag: (text: string) => number): number {
  const { end = 0 } = readQuoted(rest) ?? {};
  return /^(?:\s|$)/.test(rest.slice(end)) ? end + nextFlag(rest.slice(end)) : nextFlag(rest);
}

const switched = (meaning: 'private' | 'public' | 'spoiler', on: boolean): FlagOptions =>
  meaning === 'spoiler' ? { spoiler: on } : { private: meaning === 'private' ? on : !on };

function numbered(name: keyof typeof RANGES | 'width' | 'height', text: string): FlagValue['says'] {
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'));
  if (!Number.isFinite(value) || (isRanged(name) && !isWithin(RANGES[name], value))) return undefined;
  return { [name]: value };
}

const isWithin = ({ min, max, isWhole }: (typeof RANGES)[keyof typeof RANGES], value: number): boolean =>
  value >= min && value <= max && (!isWhole || Number.isInteger(value));

/** One word, or what stands in quotation marks or braces. */
function wordOf(text: string): { value: string; length: number; quoted?: true } {
  const inQuotes = readQuoted(text);
  if (inQuotes) return { value: inQuotes.value, length: inQuotes.end, quoted: true };
  const [word = ''] = /^(?:\{[^{}]*\}\S*|\S+)/.exec(text) ?? [];
  return { value: withoutStop(word), length: word.length };
}

/** Without the commas, semicolons and full stops at its end. */
function withoutStop(word: string): string {
  let end = word.length;
  while (end > 0 && ',;.'.includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

/** All of it, without the quotation marks in which the whole stands. */
function textOf(text: string): { value: string; length: number } {
  const inQuotes = readQuoted(text);
  const { length } = text.trimEnd();
  if (inQuotes?.end === length) return { value: inQuotes.value, length };
  return { value: text.slice(0, length), length };
}

/** The name of a preset of several words. */
const presetAt = (text: string): string | undefined =>
  PRESET_NAMES.filter((name) => name.includes(' '))
    .map((name) => text.slice(0, name.length))
    .find(
      (typed) =>
        PRESET_NAMES.some((name) => name.toLowerCase() === typed.toLowerCase()) &&
        /^(\s|$)/.test(text.slice(typed.length)),
    );

/** Quotation marks as they are typed, and as phones and languages make of them. */
const DOUBLE = '"“”„«»';
const SINGLE = "'‘’‚";

/** What stands in quotation marks at the start of `text`, and where it ends; undefined where none open or close. */
function readQuoted(text: string): { value: string; end: number } | undefined {
  const marks = [DOUBLE, SINGLE].find((some) => text !== '' && some.includes(text.charAt(0)));
  if (!marks) return undefined;
  for (let index = 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (marks.includes(text.charAt(index))) {
      return { value: text.slice(1, index).replace(/\\([\s\S])/g, '$1'), end: index + 1 };
    }
  }
  return undefined;
}

/** Whether `text` would be read as quoted where more follows it. */
export const opensQuote = (text: string): boolean =>
  text !== '' && (DOUBLE + SINGLE).includes(text.charAt(0));

/** `text` so that `readQuoted` reads it. */
export const quote = (text: string): string => `"${text.replace(/[\\"“”„«»]/g, '\\$&')}"`;
