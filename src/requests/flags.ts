import { type FlagMeaning, flagOf, isKnownElsewhere, meaningOf, suggestedFlag } from './flag-names.ts';
import { type FlagOptions, type FlagValue, opensQuote, quote, readFlagValue } from './flag-values.ts';

/**
 * A flag with which nothing can be done.
 * - `unknown` nobody knows it
 * - `elsewhere` other bots know it
 * - `value` what it takes is missing, or is none
 * - `twice` it says two different things
 */
export interface UnknownFlag {
  flag: string;
  why: 'unknown' | 'elsewhere' | 'value' | 'twice';
  option?: FlagMeaning;
  /** The flag that it may have been meant to be. */
  suggestion?: string;
}

interface ParsedFlags {
  prompt: string;
  options: FlagOptions;
  unknown: UnknownFlag[];
}

/** `--ar`, and what phones make of it. */
const FLAG = /(?<=^|\s)(?:--|[—–])(?=\p{L})/gu;
const NAME = /^(?:--|[—–])(\p{L}[\p{L}\p{N}_-]*)/u;
/** A backslash before it makes words of it, and one more stands for itself. */
const ESCAPED = /(?<=^|\s)\\(?=\\*(?:--|[—–])\p{L})/gu;
const ESCAPABLE = /(?<=^|\s)(?=\\*(?:--|[—–])\p{L})/gu;

/**
 * The flags in what somebody typed, as other bots know them: `--ar 3:2 --no text, hands --seed 7`. What follows a
 * `--no` belongs to it up to the next flag; whatever else is no flag stays in the prompt.
 */
export function parseFlags(text: string): ParsedFlags {
  const words: string[] = [];
  const unknown: UnknownFlag[] = [];
  const said: { flag: string; says: NonNullable<FlagValue['says']> }[] = [];
  let from = 0;
  for (const { index } of text.matchAll(FLAG)) {
    const flag = index < from ? undefined : flagAt(text.slice(index));
    if (!flag) continue;
    words.push(text.slice(from, index));
    from = index + flag.length;
    if (flag.unknown) unknown.push(flag.unknown);
    if (flag.says) said.push({ flag: text.slice(index, from), says: flag.says });
  }
  if (from === 0) return { prompt: text.replace(ESCAPED, ''), options: {}, unknown };
  const prompt = [...words, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
  const { options, unclear } = together(said);
  return { prompt: prompt.join(' ').replace(ESCAPED, ''), options, unknown: [...unknown, ...unclear] };
}

/** `prompt` so that `parseFlags` finds no flag in it, but these words. */
export const escapeFlags = (prompt: string): string => prompt.replace(ESCAPABLE, '\\');

/** The flag at the start of `text`; undefined where it is a dash of a sentence. */
function flagAt(
  text: string,
): { length: number; says?: FlagValue['says']; unknown?: UnknownFlag } | undefined {
  const [start = '', name = ''] = NAME.exec(text) ?? [];
  const option = meaningOf(name);
  const elsewhere = isKnownElsewhere(name);
  if (option) {
    const { taken, says } = readFlagValue(option, text.slice(start.length), nextFlag);
    const length = start.length + taken;
    return says
      ? { length, says }
      : { length, unknown: { flag: text.slice(0, length), why: 'value', option } };
  }
  if (!elsewhere && !text.startsWith('--')) return undefined;
  const [flag = start] = /^\S+/.exec(text) ?? [];
  const suggestion = elsewhere ? undefined : suggestedFlag(name);
  const why = elsewhere ? 'elsewhere' : 'unknown';
  return { length: flag.length, unknown: { flag, why, ...(suggestion !== undefined && { suggestion }) } };
}

/** Where the next flag begins; the end of the text where none does. */
function nextFlag(text: string): number {
  for (const { index } of text.matchAll(FLAG)) {
    const [start = '', name = ''] = NAME.exec(text.slice(index)) ?? [];
    if (start.startsWith('--') || meaningOf(name) || isKnownElsewhere(name)) return index;
  }
  return text.length;
}

/** What all flags say, and which of them leave it open. */
function together(flags: readonly { flag: string; says: NonNullable<FlagValue['says']> }[]) {
  const options: FlagOptions = {};
  const unclear: UnknownFlag[] = [];
  const sides: { width?: number; height?: number } = {};
  const decide = (flag: string, decided: FlagOptions) => {
    const isOther = Object.entries(decided).some(([name, value]) => {
      const before: unknown = Reflect.get(options, name);
      return before !== undefined && before !== value;
    });
    if (isOther) unclear.push({ flag, why: 'twice' });
    else Object.assign(options, decided);
  };
  for (const { flag, says } of flags) {
    const { width, height, negative_prompt: without, ...others } = says;
    if (width !== undefined) sides.width = width;
    if (height !== undefined) sides.height = height;
    const before = options.negative_prompt;
    if (without !== undefined)
      options.negative_prompt = before === undefined ? without : `${before}, ${without}`;
    decide(flag, others);
  }
  const { width, height } = sides;
  const flag = [width !== undefined && `--width ${width}`, height !== undefined && `--height ${height}`]
    .filter((side) => side !== false)
    .join(' ');
  if (width !== undefined && height !== undefined) decide(flag, { size: `${width}x${height}` });
  else if (flag !== '') unclear.push({ flag, why: 'value', option: 'size' });
  return { options, unclear };
}

/** The flags that say the same as `options`: `parseFlags` reads them back. */
export function formatFlags(options: FlagOptions): string {
  const { private: hidden, spoiler, negative_prompt, ...valued } = options;
  const names = [
    'size',
    'workflow',
    'steps',
    'seed',
    'variation_of',
    'cfg',
    'model',
    'strength',
    'count',
  ] as const;
  return [
    ...names.map((name) => formatFlag(name, valued[name])),
    hidden === undefined ? undefined : flagOf(hidden ? 'private' : 'public'),
    spoiler === undefined ? undefined : `${flagOf('spoiler')}${spoiler ? '' : '=off'}`,
    formatFlag('negative_prompt', negative_prompt),
  ]
    .filter((flag) => flag !== undefined)
    .join(' ');
}

/** Words in quotation marks where they would be read as something else. */
function formatFlag(
  name: Exclude<keyof FlagOptions, 'private' | 'spoiler'>,
  value: string | number | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  const flag = `${flagOf(name)} ${value}`;
  if (typeof value === 'number') return flag;
  const { prompt, options, unknown } = parseFlags(flag);
  const isSame = !opensQuote(value) && prompt === '' && unknown.length === 0 && options[name] === value;
  return isSame ? flag : `${flagOf(name)} ${quote(value)}`;
}
