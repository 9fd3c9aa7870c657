import type { Oklch } from '../colour.ts';
import { chance, pick } from '../random.ts';
import { type Draw, fill, limb, line, oval, shades } from './figure.ts';

const HIDES: readonly [Oklch, ...Oklch[]] = [
  [0.5, 0.16, 28],
  [0.5, 0.11, 155],
  [0.42, 0.1, 280],
  [0.48, 0.1, 220],
];

/** In flight: both wings up, the tail winding behind. */
export const dragon: Draw = (random, coat) => {
  const tones = shades(coat ?? pick(random, HIDES));
  const membrane = shades(coat ? [coat[0] * 1.15, coat[1], coat[2] + 18] : [0.66, 0.14, 55]);
  const far =
    'M52 56C54 38 60 20 76 4C78 12 82 18 90 20C88 26 90 32 96 36C88 38 84 44 84 50C74 48 64 52 56 60Z';
  const near = 'M44 58C40 40 34 20 18 -6C18 4 12 10 2 12C6 20 4 28 -4 34C6 36 12 42 13 50C22 48 34 54 42 64Z';
  const tail = limb([60, 62, 8.4], [72, 66, 6.4], [84, 76, 4.6], [98, 78, 3.2], [108, 70, 2], [112, 60, 1]);
  const body = limb([34, 52, 6.6], [44, 58, 10], [56, 62, 9.4], [66, 63, 6.8]);
  const neck = limb([38, 54, 7.4], [27, 48, 5.4], [20, 37, 4.4], [13, 32, 4.6]);
  const head =
    'M18 25C12 23 6 26 0 31C-6 33 -10 36 -11 39C-8 41 -3 41 2 40L-6 44C-2 46 4 45 9 42C14 41 19 38 20 34C22 31 21 27 18 25Z';
  const spikes = [
    [23, 34],
    [28, 41],
    [35, 46],
    [44, 48.6],
    [53, 52],
    [62, 55],
    [71, 60],
    [80, 69],
  ]
    .map(([x = 0, y = 0]) => `M${x - 2.4} ${y + 2}L${x + 2} ${y - 6}L${x + 3.6} ${y + 2.6}Z`)
    .join('');
  const leg =
    fill(tones.dark, limb([54, 66, 5.4], [60, 78, 3.6], [53, 86, 2.4], [48, 87, 1.4])) +
    fill(tones.base, limb([40, 62, 4.4], [36, 74, 2.8], [29, 78, 1.8]));
  const fire = chance(random, 0.45)
    ? '<g transform="translate(-9 43) rotate(14)"><path d="M0 0C-14 -6 -26 -9 -40 -4C-34 -1 -36 3 -44 6C-32 8 -14 6 0 3Z" fill="#ff8a2a"/><path d="M-2 .6C-12 -3 -20 -4 -30 -1C-24 3 -12 4 -2 2.4Z" fill="#ffe08a"/></g>'
    : '';
  return {
    body:
      fill(membrane.dark, far) +
      line(tones.deep, 1.6, 'M53 56C56 38 62 20 76 4M58 52C68 40 78 28 90 20M58 56C72 46 84 40 96 36') +
      fill(tones.deep, spikes) +
      fill(tones.base, tail) +
      fill(tones.dark, 'M109 64L116 50L118 66Z') +
      leg +
      fill(tones.base, body + neck) +
      fill(
        membrane.light,
        limb([16, 37, 2.2], [24, 49, 3.2], [36, 60, 4.4], [50, 68, 3.4], [62, 68, 0.8]),
        'opacity="0.85"',
      ) +
      fill(membrane.base, near) +
      line(tones.dark, 1.8, 'M43 60C38 40 32 18 18 -6M40 56C28 40 16 24 2 12M40 59C26 48 10 38 -4 34') +
      fill(tones.dark, 'M14 25L27 16L19 29ZM10 25L20 14L14.6 27Z') +
      fill(tones.base, head) +
      oval('#ffd24a', 9, 30.4, 1.8, 1.4) +
      oval('#241d2b', 8.6, 30.4, 0.6, 1.3) +
      oval(tones.deep, -7, 36, 0.9),
    glow: fire,
  };
};
