import { css, type Oklch, rgb } from '../colour.ts';
import type { Trait } from '../lexicon/traits.ts';
import type { Random } from '../random.ts';

/**
 * A subject in a box of 100 by 100: it stands on y = 100 around x = 50 and looks to the left. `body` takes the light
 * of the scene, `glow` shines by itself.
 */
export interface Figure {
  body: string;
  glow?: string;
}

export interface Likeness {
  eyes: Oklch | undefined;
  hair: Oklch | undefined;
  traits: ReadonlySet<Trait>;
}

/** Draws one subject; `coat` is the colour that was asked for. */
export type Draw = (random: Random, coat: Oklch | undefined, likeness: Likeness) => Figure;

/** One colour in the shades that a flat drawing needs. */
export interface Shades {
  base: string;
  dark: string;
  deep: string;
  light: string;
}

export const INK = '#241d2b';
export const WHITE = '#fbf6ee';

/** The shades of one colour: in light, in shadow, in its folds, and where light falls on it. */
export function shades([lightness, chroma, hue]: Oklch): Shades {
  return {
    base: css(rgb([lightness, chroma, hue])),
    dark: css(rgb([lightness * 0.8, chroma, hue - 6])),
    deep: css(rgb([lightness * 0.52, chroma * 0.7, hue - 10])),
    light: css(rgb([Math.min(0.97, lightness * 1.14 + 0.03), chroma * 0.85, hue + 8])),
  };
}

type Knot = readonly [x: number, y: number, radius: number];

const n = (value: number) => String(Math.round(value * 100) / 100);

/** The outline of a limb: a smooth line through the knots, as thick as they say, round at both ends. */
export function limb(...knots: Knot[]): string {
  const spine = smooth(knots, 7);
  const left: string[] = [];
  const right: string[] = [];
  spine.forEach(([x, y, radius], index) => {
    const before = spine[Math.max(0, index - 1)] ?? [x, y, radius];
    const after = spine[Math.min(spine.length - 1, index + 1)] ?? [x, y, radius];
    const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1;
    const nx = (-(after[1] - before[1]) / length) * radius;
    const ny = ((after[0] - before[0]) / length) * radius;
    left.push(`${n(x + nx)} ${n(y + ny)}`);
    right.unshift(`${n(x - nx)} ${n(y - ny)}`);
  });
  const head = spine[0]?.[2] ?? 1;
  const tip = spine[spine.length - 1]?.[2] ?? 1;
  return `M${left.join('L')}A${n(tip)} ${n(tip)} 0 0 0 ${right[0]}L${right.join('L')}A${n(head)} ${n(head)} 0 0 0 ${left[0]}Z`;
}

/** Catmull-Rom through the knots, `parts` pieces between two. */
function smooth(knots: readonly Knot[], parts: number): Knot[] {
  const out: Knot[] = [];
  for (let index = 0; index < knots.length - 1; index++) {
    const p1 = knots[index];
    const p2 = knots[index + 1];
    if (!p1 || !p2) continue;
    const p0 = knots[index - 1] ?? p1;
    const p3 = knots[index + 2] ?? p2;
    for (let part = 0; part < parts; part++) {
      const t = part / parts;
      const along = (axis: 0 | 1 | 2) =>
        0.5 *
        (2 * p1[axis] +
          (p2[axis] - p0[axis]) * t +
          (2 * p0[axis] - 5 * p1[axis] + 4 * p2[axis] - p3[axis]) * t * t +
          (3 * p1[axis] - p0[axis] - 3 * p2[axis] + p3[axis]) * t * t * t);
      out.push([along(0), along(1), Math.max(0.2, along(2))]);
    }
  }
  const last = knots[knots.length - 1];
  return last ? [...out, last] : out;
}

/** An SVG path filled with a colour; `more`: further attributes. */
export function fill(colour: string, path: string, more = ''): string {
  return `<path d="${path}" fill="${colour}" ${more}/>`;
}

export function oval(colour: string, cx: number, cy: number, rx: number, ry = rx, more = ''): string {
  return `<ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(rx)}" ry="${n(ry)}" fill="${colour}" ${more}/>`;
}

export function box(colour: string, x: number, y: number, width: number, height: number, round = 0): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${n(round)}" fill="${colour}"/>`;
}

export function line(colour: string, width: number, path: string): string {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

/** The same drawing seen in a mirror at x = 50. */
function mirror(drawing: string): string {
  return `<g transform="translate(100 0) scale(-1 1)">${drawing}</g>`;
}

/** A drawing and its mirror image. */
export function pair(drawing: string): string {
  return drawing + mirror(drawing);
}
