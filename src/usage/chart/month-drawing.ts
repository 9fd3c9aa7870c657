import { formatNumber } from '../../messages/formats.ts';
import { element, type Lettering, svg, text } from './svg.ts';
import type { UsagePicture } from './usage-picture.ts';

/** Of the drawing, in its own units; it is rendered larger, for sharp text. */
export const WIDTH = 1_000;

/** On Discord's dark background the card stands out a little; a darkroom's safelight marks what failed. */
const COLOUR = {
  card: '#1e1f22',
  text: '#f2f3f5',
  muted: '#a6a8b0',
  grid: '#3a3c43',
  pictures: '#8ea1ff',
  failed: '#e5573f',
  credits: '#f0b232',
};

const MARGIN = 44;
/** Between text and what it stands beside. */
const GAP = 8;

/** Lines of the grid above the lowest. */
const LINES = 4;
const CHART = { top: 216, height: 262 };
/** Of a day, how much its bar takes. */
const BAR = 0.72;
const DAYS_NAMED = 5;

/** Where the rows of shares begin, the height of one, that of its bar, and the width of its name. */
const SHARES = { heading: 565, top: 586, row: 30, bar: 20, name: 150 };

const BODY = { size: 20, colour: COLOUR.muted };
const HEADING = { size: 22, weight: 600, colour: COLOUR.text };

/** How wide a text of this size is, in units of the drawing. */
export type WidthOf = (content: string, lettering: Lettering) => number;

/** The month as an SVG: totals, pictures and credits per day, and what drew them. */
export function drawMonth(picture: UsagePicture, widthOf: WidthOf): string {
  const { title, totals, words, workflows, days } = picture;
  const hasCredits = days.some(({ credits }) => (credits ?? 0) > 0);
  const rows = workflows.length;
  const height = rows === 0 ? SHARES.heading - MARGIN / 2 : SHARES.top + rows * SHARES.row + MARGIN;
  return svg({ width: WIDTH, height }, [
    element('rect', { width: WIDTH, height, fill: COLOUR.card }),
    text(title, MARGIN, 60, { ...HEADING, size: 34 }),
    ...legend(
      [
        [words.pictures, COLOUR.pictures],
        [words.failed, COLOUR.failed],
        ...(hasCredits ? ([[words.credits, COLOUR.credits]] as const) : []),
      ],
      widthOf,
    ),
    ...totals.flatMap((total, nth) => totalAt(nth, total, widthOf)),
    ...chart(picture, { hasCredits, widthOf }),
    ...shares(picture, widthOf),
  ]);
}

/** From the right edge to the left. */
function legend(entries: readonly (readonly [word: string, colour: string])[], widthOf: WidthOf): string[] {
  let right = WIDTH - MARGIN;
  return entries.toReversed().flatMap(([word, fill]) => {
    const left = right - widthOf(word, BODY) - GAP;
    const drawn = [
      element('rect', { x: left - 16, y: 38, width: 16, height: 16, rx: 4, fill }),
      text(word, right, 53, { ...BODY, anchor: 'end' }),
    ];
    right = left - 16 - 20;
    return drawn;
  });
}

function totalAt(nth: number, { label, value }: UsagePicture['totals'][number], widthOf: WidthOf): string[] {
  const width = (WIDTH - 2 * MARGIN) / 4;
  const left = MARGIN + nth * width;
  const number = { ...HEADING, size: 40 };
  const size = Math.min(number.size, (number.size * (width - 3 * GAP)) / Math.max(1, widthOf(value, number)));
  return [text(value, left, 131, { ...number, size }), text(label, left, 164, BODY)];
}

/** Bars of pictures, with what failed on top of them, and the line of credits by a scale of its own. */
function chart(
  picture: UsagePicture,
  { hasCredits, widthOf }: { hasCredits: boolean; widthOf: WidthOf },
): string[] {
  const { days } = picture;
  const bottom = CHART.top + CHART.height;
  const counts = scaleTo(Math.max(...days.map(({ pictures, failed }) => pictures + failed)));
  const credits = hasCredits ? scaleTo(Math.max(...days.map(({ credits }) => credits ?? 0))) : [];
  const [names, creditNames] = [counts, credits].map((scale) =>
    scale.map((value) => formatNumber(value, picture, 1)),
  ) as [string[], string[]];
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((one) => widthOf(one, BODY)));
  const left = MARGIN + widest(names) + GAP;
  const right = WIDTH - MARGIN - (hasCredits ? widest(creditNames) + GAP : 0);
  const lineAt = (nth: number) => bottom - (nth / LINES) * CHART.height;
  const day = (right - left) / days.length;
  const middle = (nth: number) => left + (nth + 0.5) * day;
  const tall = (count: number) => (count / (counts.at(-1) ?? 1)) * CHART.height;
  const bar = (nth: number, from: number, to: number, fill: string) =>
    to === from
      ? ''
      : element('rect', {
          x: middle(nth) - (day * BAR) / 2,
          y: bottom - tall(to),
          width: day * BAR,
          height: tall(to) - tall(from),
          rx: 3,
          fill,
        });
  const points = (hasCredits ? days : []).flatMap(({ credits: spent }, nth) =>
    spent === null ? [] : [[middle(nth), bottom - (spent / (credits.at(-1) ?? 1)) * CHART.height] as const],
  );
  return [
    ...names.map((_, nth) =>
      element('line', { x1: left, x2: right, y1: lineAt(nth), y2: lineAt(nth), stroke: COLOUR.grid }),
    ),
    ...names.map((name, nth) => text(name, left - GAP, lineAt(nth) + 7, { ...BODY, anchor: 'end' })),
    ...creditNames.map((name, nth) => text(name, right + GAP, lineAt(nth) + 7, BODY)),
    ...days.flatMap(({ label, pictures, failed }, nth) => [
      bar(nth, 0, pictures, COLOUR.pictures),
      bar(nth, pictures, pictures + failed, COLOUR.failed),
      nth % DAYS_NAMED === 0 ? text(label, middle(nth), bottom + 26, { ...BODY, anchor: 'middle' }) : '',
    ]),
    element('polyline', {
      points: points.join(' '),
      fill: 'none',
      stroke: COLOUR.credits,
      'stroke-width': 4,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    }),
    // A line needs two points.
    ...(points.length === 1 ? points : []).map(([cx, cy]) =>
      element('circle', { cx, cy, r: 5, fill: COLOUR.credits }),
    ),
  ];
}

/** A bar for each workflow, with its name before it and its number behind it. */
function shares(picture: UsagePicture, widthOf: WidthOf): string[] {
  const { workflows, words } = picture;
  if (workflows.length === 0) return [];
  const numbers = workflows.map(({ pictures }) => formatNumber(pictures, picture));
  const start = MARGIN + SHARES.name;
  const longest = WIDTH - MARGIN - start - GAP - Math.max(...numbers.map((one) => widthOf(one, BODY)));
  const most = Math.max(1, ...workflows.map(({ pictures }) => pictures));
  return [
    text(words.workflows, MARGIN, SHARES.heading, HEADING),
    ...workflows.flatMap(({ name, pictures }, nth) => {
      const y = SHARES.top + nth * SHARES.row + (SHARES.row - SHARES.bar) / 2;
      const long = Math.max(4, (pictures / most) * longest);
      const lettering = { ...BODY, colour: COLOUR.text };
      return [
        text(shortened(name, SHARES.name - 2 * GAP, widthOf), MARGIN, y + 17, lettering),
        element('rect', { x: start, y, width: long, height: SHARES.bar, rx: 4, fill: COLOUR.pictures }),
        text(numbers[nth] ?? '', start + long + GAP, y + 17, lettering),
      ];
    }),
  ];
}

/** No letter is narrower. */
const NARROWEST = 5;

/** As much of a text as there is room for. */
function shortened(whole: string, room: number, widthOf: WidthOf): string {
  let characters = [...whole].slice(0, room / NARROWEST);
  const isWhole = characters.join('') === whole;
  if (isWhole && widthOf(whole, BODY) <= room) return whole;
  while (characters.length > 0 && widthOf(`${characters.join('')}…`, BODY) > room)
    characters = characters.slice(0, -1);
  return `${characters.join('')}…`;
}

/** From one line of a grid to the next: these, or tens of them. */
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10];

/** The numbers beside the lines of a grid, from 0 to a round one that is `largest` or a little more; whole ones. */
export function scaleTo(largest: number): number[] {
  const least = Math.max(1, largest / LINES);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (STEPS.find((one) => one * power >= least) ?? 10) * power;
  return Array.from({ length: LINES + 1 }, (_, nth) => nth * step);
}
