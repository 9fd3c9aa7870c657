import { LIMITS } from '@darkroom/image-api';
import { formatSize, isAllowed, PRESETS, parseSize, type Size } from '../messages/size.ts';
import { search } from './search.ts';

/** Ratios that are offered; any other can be typed. */
const RATIOS = ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9'];

/** Other words for presets. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  Square: ['quadrat', 'quadratisch'],
  Portrait: ['vertical', 'hochformat'],
  Landscape: ['horizontal', 'querformat'],
  Widescreen: ['breitbild'],
};

/** So many letters of a word are enough to mean the first preset that has it. */
const LETTERS = 3;

/** How many pixels a picture of a ratio has: as many as its workflow likes best. */
const SMALL_AREA = 512 ** 2;
const LARGE_AREA = 1024 ** 2;
const LARGE_WORKFLOWS: readonly (string | undefined)[] = ['anime', 'z-image'];

/** Both sides are multiples of it. */
const STEP = 8;

/** What decides of which size a picture of a ratio is. */
export interface SizeContext {
  workflow?: string | undefined;
  /** How many pixels it may have. */
  mostPixels?: number | undefined;
}

const presets = Object.entries(PRESETS).map(([name, size]) => ({
  size,
  name: `${name} (${spaced(size)})`,
  words: [name, ...(SYNONYMS[name] ?? [])],
}));

function spaced({ width, height }: Size): string {
  return `${width} × ${height}`;
}

/** A preset's name, also typed halfway, pixels, or a ratio; undefined where it is none, or beyond the limits. */
export function readSize(typed: string, context: SizeContext = {}): Size | undefined {
  const [like] =
    typed.trim().length < LETTERS
      ? []
      : search(presets, typed, { namesOf: ({ words }) => words, by: 'word' });
  return parseSize(typed) ?? sizeOfRatio(typed, context) ?? like?.size;
}

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

/** What to offer for what is typed so far, the likeliest first: what it is already, then what it may become. */
export function suggestSizes(typed: string): { name: string; value: string }[] {
  const wanted = typed
    .trim()
    .toLowerCase()
    .replace(/\s*[×*]\s*/g, 'x');
  const pixels = parseSize(wanted);
  const known = RATIOS.includes(wanted) ? RATIOS : [wanted, ...RATIOS];
  // How many pixels that is depends on the workflow.
  const ratios = known
    .filter((ratio) => sizeOfRatio(ratio, {}))
    .map((ratio) => ({ name: ratio, value: ratio, words: [ratio] }));
  const named = presets.map(({ name, size, words }) => {
    const value = formatSize(size);
    return { name, value, words: [...words, value] };
  });
  const found = search([...named, ...ratios], wanted, { namesOf: ({ words }) => words, by: 'part' });
  const offered = found.map(({ name, value }) => ({ name, value }));
  const isNew = pixels && !offered.some(({ value }) => value === formatSize(pixels));
  return isNew ? [{ name: spaced(pixels), value: formatSize(pixels) }, ...offered] : offered;
}
