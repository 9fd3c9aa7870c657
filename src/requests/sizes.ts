import { LIMITS } from '@darkroom/image-api';
import { nearest } from '@darkroom/process';
import { formatSize, isAllowed, PRESETS, type Preset, parseSize, type Size } from '../limits/size.ts';
import { namesOf } from '../messages/locale/texts.ts';
import { matching } from './matching.ts';

/** Ratios that are offered; any other can be typed. */
const RATIOS = ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9'];

/** Words for presets beside their names in every language that the bot speaks. */
const SYNONYMS: Readonly<Partial<Record<Preset, readonly string[]>>> = {
  Square: ['quadratisch'],
  Portrait: ['vertical'],
  Landscape: ['horizontal'],
};

/** So many letters of a word are enough to mean the first preset that has it. */
const LETTERS = 3;

/** How many pixels a picture of a ratio has: as many as its workflow likes best. */
const SMALL_AREA = 512 ** 2;
const LARGE_AREA = 1024 ** 2;
const LARGE_WORKFLOWS: readonly (string | undefined)[] = ['anime', 'z-image'];

/** Both sides are multiples of it. */
const STEP = 8;

/** What the size of a picture depends on beside its ratio. */
export interface SizeContext {
  workflow?: string | undefined;
  mostPixels?: number | undefined;
}

const presets = Object.entries(PRESETS).map(([name, size]) => {
  const preset = name as Preset; // A key of PRESETS: the type of `entries` forgets it.
  const translated = Object.values(namesOf(({ sizes }) => sizes[preset]));
  return { size, preset, words: [name, ...translated, ...(SYNONYMS[preset] ?? [])] };
});

export const PRESET_NAMES: readonly string[] = presets.flatMap(({ words }) => words);

const spaced = ({ width, height }: Size): string => `${width} × ${height}`;

/** A preset's name, also typed halfway, pixels, or a ratio; undefined where it is none, or beyond the limits. */
export function readSize(typed: string, context: SizeContext = {}): Size | undefined {
  const [like] =
    typed.trim().length < LETTERS
      ? []
      : matching(presets, typed, { namesOf: ({ words }) => words, by: 'word' });
  return parseSize(typed) ?? sizeOfRatio(typed, context) ?? like?.size;
}

/**
 * What a size that is none may have been meant to be: a misspelt preset, by its name among `names`, or the nearest
 * pixels that the interface takes.
 */
export function likelySize(typed: string, names: Readonly<Record<Preset, string>>): string | undefined {
  const [, across, up] = PIXELS.exec(typed.trim().toLowerCase().replace(/\s+/g, ' ')) ?? [];
  if (across !== undefined) {
    return formatSize({ width: within(LIMITS.width, across), height: within(LIMITS.height, up ?? across) });
  }
  const word = nearest(
    typed.trim().toLowerCase(),
    PRESET_NAMES.map((name) => name.toLowerCase()),
  );
  const meant = presets.find(({ words }) => words.some((one) => one.toLowerCase() === word));
  return meant && names[meant.preset];
}

/** One number, or two with whatever people put between them; one space at most in each place. */
const PIXELS = /^(\d{2,6})(?: ?px)?(?: ?(?:[x×*,;/]|by|mal)? ?(\d{2,6}))?(?: ?px)?$/;

const within = ({ min, max }: { min: number; max: number }, side: string): number =>
  Math.min(Math.max(Number(side), min), max);

const RATIO = /^(\d{1,4}(?:[.,]\d{1,3})?)\s*[:/]\s*(\d{1,4}(?:[.,]\d{1,3})?)$/;

/** About as many pixels as the workflow likes best, and no more than are allowed. */
function sizeOfRatio(
  typed: string,
  { workflow, mostPixels = Number.POSITIVE_INFINITY }: SizeContext,
): Size | undefined {
  const [, across = '', up = ''] = RATIO.exec(typed.trim()) ?? [];
  const ratio = Number(across.replace(',', '.')) / Number(up.replace(',', '.'));
  if (!Number.isFinite(ratio) || ratio <= 0) return undefined;
  const area = Math.min(LARGE_WORKFLOWS.includes(workflow) ? LARGE_AREA : SMALL_AREA, mostPixels);
  const longTo = Math.max(ratio, 1 / ratio);
  const long = Math.floor(Math.min(Math.sqrt(area * longTo), LIMITS.width.max) / STEP) * STEP;
  const rounded = Math.round(long / longTo / STEP) * STEP;
  const short = long * rounded > area ? rounded - STEP : rounded;
  const size = ratio >= 1 ? { width: long, height: short } : { width: short, height: long };
  return isAllowed(size) ? size : undefined;
}

/** The `n` of `n:1`, the longest ratio that there is a size of; undefined where `typed` is no ratio. */
export function longestRatio(typed: string, context: SizeContext): number | undefined {
  if (!RATIO.test(typed.trim())) return undefined;
  let longest = 1;
  while (sizeOfRatio(`${longest + 1}:1`, context)) longest += 1;
  return longest;
}

/**
 * What to offer for what is typed so far, the likeliest first: what it is already, then what it may become. `names`:
 * of the presets, in the language of who types.
 */
export function suggestSizes(
  typed: string,
  names: Readonly<Record<Preset, string>>,
): { name: string; value: string }[] {
  const query = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?[×*] ?/g, 'x');
  const pixels = parseSize(query);
  const known = RATIOS.includes(query) ? RATIOS : [query, ...RATIOS];
  // How many pixels that is depends on the workflow.
  const ratios = known
    .filter((ratio) => sizeOfRatio(ratio, {}))
    .map((ratio) => ({ name: ratio, value: ratio, words: [ratio] }));
  const named = presets.map(({ preset, size, words }) => {
    const value = formatSize(size);
    return { name: `${names[preset]} (${spaced(size)})`, value, words: [...words, value] };
  });
  const found = matching([...named, ...ratios], query, { namesOf: ({ words }) => words, by: 'part' });
  const offered = found.map(({ name, value }) => ({ name, value }));
  const isNew = pixels && !offered.some(({ value }) => value === formatSize(pixels));
  return isNew ? [{ name: spaced(pixels), value: formatSize(pixels) }, ...offered] : offered;
}
