import type { Oklch } from '../colour.ts';
import { between, chance, type Random } from '../random.ts';
import { type Draw, fill, INK, limb, line, oval, type Shades, shades, WHITE } from './figure.ts';

/** Four long legs that carry a trunk between x = 36 and 76. */
export function legs(
  tones: Shades,
  top: number,
  thick: number,
  stride: number,
  hoof: string,
): { far: string; near: string } {
  const leg = (colour: string, x: number, sway: number, back: boolean) => {
    const knee = top + (98 - top) * 0.48;
    const bend = back ? 2.6 : -0.6;
    return (
      fill(
        colour,
        limb(
          [x, top, thick * 2.3],
          [x + sway * 0.35 + bend, knee, thick * 1.05],
          [x + sway, 92, thick * 0.72],
          [x + sway - 0.6, 96, thick * 0.8],
        ),
      ) + fill(hoof, limb([x + sway - 0.6, 95.4, thick * 0.8], [x + sway - 1.4, 98.4, thick * 1.05]))
    );
  };
  return {
    far: leg(tones.dark, 43, stride, false) + leg(tones.dark, 70, -stride, true),
    near: leg(tones.base, 38, -stride, false) + leg(tones.base, 74, stride * 0.8, true),
  };
}

export const deer: Draw = (random, coat) => {
  const tones = shades(coat ?? [0.56, 0.1, 52]);
  const { far, near } = legs(tones, 64, 2.3, between(random, 2, 5), '#33242a');
  const trunk = limb([40, 58, 8.6], [50, 60, 9], [62, 60, 8.2], [72, 58, 8.8], [76, 60, 6.5]);
  const neck = limb([41, 56, 8.4], [35, 44, 5.8], [31, 34, 4.6]);
  const head = limb([33, 30, 4.9], [27, 34, 3.8], [20.5, 38, 2.3]);
  const beam = 'M32 27C30 20 24 18 22 11C21 7 22 4 23 2M24 15C20 14 17 12 16 7M29 21C26 22 22 22 19 20';
  const other = 'M36 27C40 22 47 21 50 14C51 10 50 6 49 3M49 15C53 14 56 11 56 7M43 20C46 23 50 23 54 20';
  return {
    body:
      far +
      fill(WHITE, limb([79, 55, 3.2], [82, 59, 2.6], [82, 63, 1])) +
      fill(tones.base, trunk + neck) +
      fill(WHITE, limb([43, 67, 2], [52, 69, 1.8], [62, 67.4, 0.7]), 'opacity="0.8"') +
      near +
      line('#8a6a50', 1.9, other) +
      line('#a98661', 2, beam) +
      fill(tones.dark, limb([37, 29, 1.2], [41, 26.6, 2.4], [45.5, 26, 0.6])) +
      fill(tones.base, head) +
      fill(WHITE, limb([33, 38, 3.2], [36, 47, 2.8], [40, 55, 1]), 'opacity="0.85"') +
      oval(INK, 20, 37.8, 1.7, 1.5) +
      oval(INK, 28.6, 31, 1.2, 1.4) +
      [
        [52, 55],
        [58, 54],
        [64, 55],
        [69, 53],
        [56, 59],
        [62, 59.4],
      ]
        .map(([x = 0, y = 0]) => oval(WHITE, x, y, 0.9, 0.9, 'opacity="0.75"'))
        .join(''),
  };
};

const SAND: Oklch = [0.68, 0.09, 68];

export const camel: Draw = (random, coat) => {
  const tones = shades(coat ?? SAND);
  const train = [0, 1, 2]
    .map(
      (place) =>
        `<g transform="translate(${-34 + place * 58} ${place === 1 ? 22 : 26}) scale(${place === 1 ? 0.78 : 0.74})">${dromedary(tones, random, place !== 2)}</g>`,
    )
    .join('');
  return { body: chance(random, 0.65) ? train : dromedary(tones, random, true) };
};

/** One without a rider of its own. */
export const ledCamel: Draw = (random, coat) => ({ body: dromedary(shades(coat ?? SAND), random, false) });

function dromedary(tones: Shades, random: Random, rider: boolean): string {
  const { far, near } = legs(tones, 62, 2.7, between(random, 3, 6), tones.deep);
  const trunk = limb([38, 56, 8], [48, 58, 9.6], [60, 58, 9.4], [72, 56, 8.6], [76, 58, 6]);
  const hump = 'M44 52C48 42 52 34 58 35C64 36 66 46 72 51Z';
  const neck = limb([40, 56, 7.4], [30, 58, 5.2], [24, 46, 4], [21, 32, 3.8]);
  const head = limb([23, 27, 4.2], [16, 28.4, 3.8], [9.6, 31, 2.8]);
  const blanket =
    fill('#b6423c', 'M47 44C52 50 62 50 68 44L72 60C64 66 52 66 45 60Z') +
    line('#f0c56a', 1.4, 'M45.4 57.6C53 63 64 63 71.6 57.6M47 47C53 52 62 52 67.6 47');
  const person = rider
    ? fill('#2f4a6d', 'M52 40C52 28 54 22 58 22C63 22 65 29 65 42Z') +
      oval('#8d5f45', 57.4, 19.6, 3.4) +
      fill(WHITE, 'M53 20C52 14 58 12 61 15C64 18 64 26 66 30C62 29 60 26 60 20C58 17.6 55 17.6 53 20Z')
    : '';
  return (
    far +
    fill(tones.dark, limb([80, 54, 1], [83, 62, 1], [82, 70, 1.4])) +
    fill(tones.base, hump + trunk + neck) +
    near +
    blanket +
    person +
    fill(tones.base, head) +
    fill(tones.dark, 'M23 24L26 20L27 25Z') +
    oval(INK, 17, 26.6, 1)
  );
}

export const elephant: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.58, 0.02, 260]);
  const leg = (colour: string, x: number) =>
    fill(colour, limb([x, 62, 8], [x, 80, 6.4], [x - 0.5, 95, 6.2])) +
    [-3, 0, 3].map((toe) => oval(WHITE, x + toe - 0.6, 98.6, 1.3, 1.5, 'opacity="0.8"')).join('');
  const trunk = limb([24, 40, 8], [15, 52, 6], [12, 68, 4.6], [13, 82, 3.6], [8, 88, 2.8], [3, 85, 2.2]);
  return {
    body:
      leg(tones.dark, 46) +
      leg(tones.dark, 72) +
      fill(tones.dark, limb([84, 48, 1.2], [88, 60, 1], [88, 70, 1.6])) +
      fill(tones.base, limb([42, 50, 17], [56, 48, 19], [70, 51, 17])) +
      leg(tones.base, 38) +
      leg(tones.base, 78) +
      fill(tones.base, trunk) +
      fill(WHITE, limb([21, 56, 2.2], [13, 64, 1.8], [5, 63, 0.6])) +
      oval(tones.base, 30, 38, 14.5, 15) +
      fill(tones.dark, 'M34 24C48 20 54 34 50 48C47 58 38 60 34 52C31 44 31 32 34 24Z') +
      oval(INK, 22, 37, 1.5) +
      line(tones.dark, 0.9, 'M9 64H15M9.6 70H15.6M10 76H16'),
  };
};
