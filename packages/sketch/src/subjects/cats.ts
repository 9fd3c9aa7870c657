import { css, type Oklch, rgb } from '../colour.ts';
import { chance, pick } from '../random.ts';
import { type Draw, fill, INK, limb, line, oval, pair, type Shades, shades, WHITE } from './figure.ts';

const COATS: readonly [Oklch, ...Oklch[]] = [
  [0.36, 0.02, 280],
  [0.74, 0.13, 62],
  [0.6, 0.02, 250],
  [0.92, 0.02, 80],
];

export const cat: Draw = (random, coat, likeness) => {
  const colour = coat ?? pick(random, COATS);
  return {
    body: seated(
      shades(colour),
      likeness.eyes ? css(rgb(likeness.eyes)) : colour[0] < 0.45 ? '#f2d75a' : '#7fbf6a',
      chance(random, 0.5) && colour[0] > 0.5,
      false,
    ),
  };
};

export const tiger: Draw = (_random, coat) => ({
  body: seated(shades(coat ?? [0.74, 0.16, 58]), '#e8c14e', true, true),
});

function seated(tones: Shades, iris: string, striped: boolean, big: boolean): string {
  const tail = limb([66, 93, 4.5], [80, 95, 4.5], [90, 86, 4.2], [90, 72, 4], [83, 64, 3.6], [80, 68, 2.6]);
  const body = 'M33 97C31 80 35 62 42 50L58 50C65 62 69 80 67 97Z';
  const haunches = pair(fill(tones.dark, 'M66 98C70 90 71 80 66 76C58 76 55 88 57 98Z'));
  const legs = pair(fill(tones.base, limb([45, 68, 4.6], [45, 86, 3.8], [44, 95.4, 4])));
  const stripes = striped
    ? line(
        tones.deep,
        2,
        'M50 23V29M44.5 24L45.5 29M55.5 24L54.5 29M27.5 42L34 43M28 47L34 46.6M72.5 42L66 43M72 47L66 46.6M36 66L42 68M35 74L41 75.4M64 66L58 68M65 74L59 75.4M88 86L93 89M87 77L93 77',
      )
    : '';
  const ear = big
    ? oval(tones.base, 32, 24, 7.5) + oval(tones.deep, 32.4, 24.6, 4.2)
    : fill(tones.base, 'M29 36C26 24 27 14 29 7C37 12 44 18 47 25Z') +
      fill('#d99a98', 'M31.6 28C30.4 21 31 16 32 13C36.4 16.6 40 21 42 25Z', 'opacity="0.75"');
  const eye =
    oval(iris, 40, 39.6, 4, 4.2) + oval(INK, 40, 39.6, big ? 2 : 1.7, 3.6) + oval('#fff', 39, 37.8, 1);
  const whiskers = line('#fff', 0.5, 'M37 49L22 46.4M37 50.6L23 52M63 49L78 46.4M63 50.6L77 52');
  return (
    fill(tones.dark, tail) +
    fill(tones.base, body) +
    haunches +
    fill(WHITE, 'M43 53C41 64 44 74 50 78C56 74 59 64 57 53Z', 'opacity="0.85"') +
    legs +
    oval(WHITE, 43.6, 96.4, 4.4, 2.8) +
    oval(WHITE, 56.4, 96.4, 4.4, 2.8) +
    pair(ear) +
    fill(tones.base, 'M50 20C64 20 74 29 74 41C74 52 62 59 50 59C38 59 26 52 26 41C26 29 36 20 50 20Z') +
    stripes +
    fill(WHITE, 'M50 45C55 45 61 48 60 52C59 56.5 54 58 50 58C46 58 41 56.5 40 52C39 48 45 45 50 45Z') +
    pair(eye) +
    fill('#c9706f', 'M47.4 46.6H52.6L50 49.8Z') +
    line(INK, 0.9, 'M50 49.8V52M50 52Q47.4 54.6 45 53M50 52Q52.6 54.6 55 53') +
    whiskers
  );
}
