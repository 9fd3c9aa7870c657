import type { Oklch } from '../colour.ts';
import { between, pick } from '../random.ts';
import { type Draw, type Figure, fill, INK, limb, line, oval, type Shades, shades } from './figure.ts';
import { legs } from './hoofed.ts';

const COATS: readonly [Oklch, ...Oklch[]] = [
  [0.48, 0.09, 48],
  [0.4, 0.05, 40],
  [0.9, 0.015, 80],
];

export const horse: Draw = (random, coat) => {
  const tones = shades(coat ?? pick(random, COATS));
  const hair = coat && coat[0] > 0.8 ? '#cfc4d6' : tones.deep;
  return standing(tones, [hair], INK, between(random, 3, 8));
};

/** White, with a mane in the colours of dawn and a golden horn. */
export const unicorn: Draw = (random, coat) => {
  const tones = shades(coat ?? [0.95, 0.02, 330]);
  const { body } = standing(tones, ['#e58bb8', '#b48be0', '#7fb6ea'], '#c9a5c8', between(random, 3, 8));
  const horn =
    fill('#f0c24e', 'M21.4 15.6L13 -6L25 13Z') + line('#c98f2e', 0.8, 'M19.4 9.6L22.6 8.6M17.4 4.4L19.6 3.8');
  return { body: horn + body };
};

/** `hair`: the colours of mane and tail, strand by strand. */
function standing(tones: Shades, hair: readonly [string, ...string[]], hoof: string, stride: number): Figure {
  const { far, near } = legs(tones, 62, 3.3, stride, hoof);
  const trunk = limb([36, 54, 10], [46, 56, 10.6], [60, 56, 10], [72, 53, 10.6], [77, 55, 8]);
  const neck = limb([38, 52, 10.5], [30, 38, 7.6], [24, 26, 5.6]);
  const head = limb([26, 23, 5.8], [20, 29, 4.8], [12, 37, 3.2], [9.5, 40, 2.8]);
  const mane = 'M23 15C30 16 37 26 42 42C43 46 46 47 47 46C44 50 39 49 37 45C34 36 29 27 22 22Z';
  const tail = limb([80, 49, 3], [87, 55, 4.4], [89, 68, 5], [87, 84, 2.6], [89, 90, 0.6]);
  const strands = hair
    .slice(1)
    .map(
      (colour, index) =>
        line(
          colour,
          2,
          `M${83 + index * 3} ${52 + index * 2}C${88 + index * 2} ${60 + index} ${88 + index * 2} 72 ${86.4 + index} ${84 - index * 4}`,
        ) +
        line(
          colour,
          1.8,
          `M${25 - index} ${18 + index * 3}C${32 - index} ${22 + index * 3} ${37 - index} ${32 + index * 2} ${41 - index * 2} 45`,
        ),
    )
    .join('');
  return {
    body:
      far +
      fill(hair[0], tail) +
      fill(tones.base, trunk + neck) +
      near +
      fill(hair[0], mane) +
      strands +
      fill(tones.base, 'M24 21L23 12L28 18Z') +
      fill(tones.base, head) +
      fill(tones.dark, limb([13, 36, 3], [9.5, 40, 2.8])) +
      oval(INK, 20.6, 25.4, 1.2, 1.4) +
      fill(hair[0], 'M25 16C21 18 19 21 19 25C22 24 25 21 27 18Z'),
  };
}
